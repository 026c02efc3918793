/**
 * A child process as an MCP transport. The SDK's own is not used: it passes more of this server's environment on, and
 * copies what it has read once more with every chunk.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/client';
import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { LineBuffer } from './line-buffer.js';
import { sealed } from './sealed-error.js';
import type { StdioTarget } from './upstream-config.js';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Between closing stdin, SIGTERM and SIGKILL; and between a child's end and that of what still holds its pipes. */
const PATIENCE_MS = 1500;
const GROUPS = process.platform !== 'win32';

export interface StdioOptions {
  readonly target: StdioTarget;
  /** The child's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly maxLineBytes: number;
  readonly onStderr: (chunk: Buffer) => void;
}

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it ended, if it was not closed from here. */
  reason: string | undefined;
  /** The SDK knows a child process by these two. */
  readonly stderr = null;
  #child: Child | undefined;
  #ended = false;
  /** Nobody holds its pipes any more. */
  #closed = false;
  readonly #lines;
  #reading = Promise.resolve();

  constructor(private readonly options: StdioOptions) {
    this.#lines = new LineBuffer(options.maxLineBytes);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  start(): Promise<void> {
    const { command, args, cwd } = this.options.target;
    const child = spawn(command, args, {
      cwd,
      env: this.options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      // A group of its own, so that what the child starts ends with it.
      detached: GROUPS,
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => {
      this.#reading = this.#reading.then(() => this.#read(chunk));
    });
    child.stderr.on('data', this.options.onStderr);
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    child.once('exit', (code, signal) => {
      this.reason ??= `the process ended (${signal ?? `exit ${code ?? '?'}`})`;
      setTimeout(() => this.#finish(), PATIENCE_MS).unref();
    });
    child.once('close', () => {
      this.#closed = true;
      this.#finish();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.reason ??= `the command did not start (${'code' in error ? String(error.code) : 'error'})`;
        reject(error);
        this.#finish();
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) return Promise.reject(new Error('Not connected'));
    return new Promise((resolve) => {
      // A failed write shows as the end of the connection: nobody knows how much of it was read.
      stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
    });
  }

  /** Ends the child: politely, then not. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#ended) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const running = () => child.exitCode === null && child.signalCode === null;
    child.stdin.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (running()) await Promise.race([gone, patience()]);
      if (running()) this.#kill(signal);
    }
    if (running()) await Promise.race([gone, patience()]);
    this.#finish();
  }

  /** The SDK hears notifications a moment late, and an answer at once: what came before an answer is let be heard first. */
  async #read(chunk: Buffer): Promise<void> {
    try {
      for (const line of this.#lines.take(chunk)) {
        this.#message(line);
        await Promise.resolve();
      }
    } catch (error) {
      this.reason ??= error instanceof Error ? error.message : String(error);
      this.#kill('SIGKILL');
      this.#finish();
    }
  }

  #message(line: string): void {
    const message = parsed(line);
    if (
      isJSONRPCResultResponse(message) ||
      isJSONRPCErrorResponse(message) ||
      isJSONRPCRequest(message) ||
      isJSONRPCNotification(message)
    ) {
      this.onmessage?.(sealed(message));
    } else this.onerror?.(new Error('a line that is no JSON-RPC message'));
  }

  #kill(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(GROUPS ? -pid : pid, signal);
    } catch {
      // It is gone already.
    }
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#closed) this.#kill('SIGKILL');
    const child = this.#child;
    for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    this.onclose?.();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
}
