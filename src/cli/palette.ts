/** Colours for people at a terminal; plain text for pipes, logs and NO_COLOR (https://no-color.org). */
export interface Palette {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

export function palette(stream: { readonly isTTY?: boolean }): Palette {
  const plain = !stream.isTTY || Boolean(process.env['NO_COLOR']);
  const paint = (open: number, close: number) => (text: string) =>
    plain ? text : `\u001b[${open}m${text}\u001b[${close}m`;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    green: paint(32, 39),
    yellow: paint(33, 39),
    red: paint(31, 39),
  };
}
