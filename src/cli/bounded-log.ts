import { appendFileSync, renameSync, statSync } from 'node:fs';

/** Bytes; past it the log is renamed to `log.1`, replacing the one before. */
const LIMIT = 5 * 1024 * 1024;

/** Appends timed, prefixed lines to a file (0600) that never grows past twice {@link LIMIT}; remembers the last few. */
export class BoundedLog {
  private size: number;
  /** The newest lines, without time and prefix. */
  readonly last: string[] = [];

  constructor(
    readonly path: string,
    private readonly prefix: string,
  ) {
    this.size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }

  write(line: string): void {
    if (this.size > LIMIT) {
      renameSync(this.path, `${this.path}.1`);
      this.size = 0;
    }
    const entry = `${new Date().toISOString()} [${this.prefix}] ${line}\n`;
    appendFileSync(this.path, entry, { mode: 0o600 });
    this.size += Buffer.byteLength(entry);
    this.last.push(line);
    if (this.last.length > 5) this.last.shift();
  }
}
