/** The first `max` code units, and never one half of a character: the other end refuses text that UTF-8 cannot carry. */
export function cutText(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
