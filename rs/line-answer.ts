/** An HTTP answer of JSON lines, each sent as it happens. It begins with the first line: until then it can be any other. */
import type { FastifyReply } from 'fastify';
import type { RunEvent } from '../src/contract/wire.js';

export const LINES = 'application/x-ndjson';
/** An empty line keeps intermediaries from taking a long run for a dead one. */
const KEEP_ALIVE_MS = 15_000;
/** Bytes waiting for a slow reader, from which on what can be left out is. */
const MAX_WAITING_BYTES = 1_048_576;

export class LineAnswer {
  readonly #gone = new AbortController();
  readonly #raw;
  #begun = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly reply: FastifyReply) {
    this.#raw = reply.raw;
    this.#raw.once('close', () => {
      clearTimeout(this.#timer);
      if (!this.#raw.writableFinished) this.#gone.abort();
    });
    this.#raw.on('error', () => this.#gone.abort());
    this.#keepAlive();
  }

  /** Aborts when the other end is gone before the last line. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get hasBegun(): boolean {
    return this.#begun;
  }

  /** Sends a line. Notifications are left out for a reader that is far behind. */
  send(event: RunEvent): void {
    if (event.kind === 'notification' && this.#raw.writableLength > MAX_WAITING_BYTES) return;
    this.#write(`${JSON.stringify(event)}\n`);
  }

  /** Sends the last line. Resolves once it is out or nobody reads it any more. */
  async end(event: RunEvent): Promise<void> {
    this.send(event);
    await this.close();
  }

  async close(): Promise<void> {
    this.begin();
    clearTimeout(this.#timer);
    if (this.gone.aborted) return;
    await new Promise<void>((resolve) => {
      this.#raw.once('close', resolve);
      this.#raw.end(resolve);
    });
  }

  #write(text: string): void {
    this.begin();
    if (!this.gone.aborted && !this.#raw.writableEnded) this.#raw.write(text);
    this.#keepAlive();
  }

  /** Sends what comes before the first line. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.reply.hijack();
    if (this.gone.aborted) return;
    this.#raw.writeHead(200, { 'content-type': LINES, 'cache-control': 'no-store' });
    this.#raw.flushHeaders();
  }

  #keepAlive(): void {
    clearTimeout(this.#timer);
    if (this.gone.aborted || this.#raw.writableEnded) return;
    this.#timer = setTimeout(() => this.#write('\n'), KEEP_ALIVE_MS).unref();
  }
}
