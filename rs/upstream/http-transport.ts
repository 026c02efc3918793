/** The SDK's Streamable HTTP transport with bounded bodies, and with a word where it would stay silent: a lost answer. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ReadableStream } from 'node:stream/web';
import { Agent, fetch } from 'undici';
import { boundedBody } from './bounded-body.js';
import { lostAnswer, sealed } from './sealed-error.js';
import type { HttpTarget } from './upstream-config.js';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];
type Receiver = Transport['onmessage'];

export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #agent: Agent;
  #fail: (reason: string) => void;
  /** Why it ended, if it was not closed from here. */
  reason: string | undefined;

  constructor(target: HttpTarget, maxBytes: number) {
    // Streams stay open for as long as they like; calls have their own time limit.
    const agent = new Agent({ bodyTimeout: 0, headersTimeout: 0, allowH2: false });
    const fail = (reason: string) => this.#fail(reason);
    super(new URL(target.url), {
      requestInit: { headers: { ...target.headers } },
      fetch: boundedFetch(agent, maxBytes, fail),
    });
    this.#agent = agent;
    this.#fail = (reason) => {
      this.reason ??= reason;
      void this.close();
    };
    // The SDK assigns it, and so does its negotiation; whoever does gets sealed errors.
    let receiver: Receiver;
    Object.defineProperty(this, 'onmessage', {
      get: () => receiver,
      set: (given: Receiver) => {
        receiver = given && ((message, extra) => given(sealed(message), extra));
      },
    });
  }

  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    await super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        if ('method' in message && 'id' in message) this.onmessage?.(lostAnswer(message.id));
      },
    });
  }

  override async close(): Promise<void> {
    this.#fail = () => undefined;
    try {
      await super.close();
    } finally {
      await this.#agent.destroy();
    }
  }
}

/** undici's fetch, not the global one: that ends every stream which is silent for five minutes. */
function boundedFetch(agent: Agent, maxBytes: number, exceeded: (reason: string) => void) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { method, body, signal, redirect } = init;
    const answer = await fetch(url, {
      dispatcher: agent,
      headers: [...new Headers(init.headers)],
      ...(method === undefined ? {} : { method }),
      ...(typeof body === 'string' ? { body } : {}),
      ...(signal ? { signal } : {}),
      ...(redirect === undefined ? {} : { redirect }),
    });
    const headers = [...answer.headers];
    const isEventStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
    const stream: ReadableStream<Uint8Array> | null = answer.body;
    return new Response(stream && boundedBody(stream, { maxBytes, isEventStream }, exceeded), {
      status: answer.status,
      statusText: answer.statusText,
      headers,
    });
  };
}
