/** Lines on stdout. Text that came from outside goes through displayText first. */
export function print(...lines: string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}
