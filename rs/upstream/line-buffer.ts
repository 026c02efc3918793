const NEWLINE = 0x0a;

/** Cuts a byte stream into lines and never holds more than one line's worth. */
export class LineBuffer {
  #parts: Buffer[] = [];
  #size = 0;

  constructor(private readonly maxBytes: number) {}

  /**
   * The lines that `chunk` completes, without their ends, as UTF-8 text.
   * @throws Error if a line has more than `maxBytes` bytes; nothing of it is kept
   */
  *take(chunk: Buffer): Generator<string> {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, from);
      this.#keep(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (end === -1) return;
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#clear();
      from = end + 1;
      if (line.trim() !== '') yield line;
    }
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.maxBytes) {
      this.#clear();
      throw new Error(`a message of more than ${this.maxBytes} bytes`);
    }
    if (part.length > 0) this.#parts.push(part);
  }

  #clear(): void {
    this.#parts = [];
    this.#size = 0;
  }
}
