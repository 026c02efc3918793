import { Agent, fetch as undiciFetch } from 'undici';
import { Refusal } from '../../contract/errors.js';
import { parseStrictJson } from '../../contract/strict-json.js';

type Answer = Awaited<ReturnType<typeof undiciFetch>>;

/** Bytes an agent may answer with outside a stream. */
const MAX_ANSWER = 4 * 1024 * 1024;

/** How long an agent may take to begin an answer: a tool that needs nobody runs meanwhile. */
const ANSWER_MS = 130_000;

/** Connections to other agents. A stream may be quiet for as long as a person thinks. */
export function agentConnections(): Agent {
  return new Agent({ connections: 16, bodyTimeout: 0, headersTimeout: ANSWER_MS });
}

/** The credential for one agent. */
export interface HopToken {
  token(): Promise<string>;
  /** Another one in place of one the agent did not take; undefined where there is no other. */
  renewed(stale: string): Promise<string | undefined>;
}

/**
 * `fetch` for the SDK's client: to one origin only, with the token for that agent alone, never following a redirect, and
 * every JSON answer read by the strict parser first. A card that names another address so gets neither token nor call.
 * @throws Refusal `UntrustedAgent` for another origin, `Unauthenticated` when the agent does not take the token
 */
export function guardedFetch(
  origin: string,
  hop: HopToken | undefined,
  dispatcher: Agent,
): typeof fetch {
  const guarded = async (input: string | URL, init: RequestInit = {}): Promise<unknown> => {
    const url = new URL(input);
    if (url.origin !== origin)
      throw new Refusal('UntrustedAgent', 'bridge', { detail: url.origin });
    const send = async (token: string | undefined): Promise<Answer> => {
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return undiciFetch(url, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        ...(typeof init.body === 'string' ? { body: init.body } : {}),
        ...(init.signal === undefined ? {} : { signal: init.signal }),
        redirect: 'error',
        dispatcher,
      });
    };
    const token = await hop?.token();
    let answer = await send(token);
    if (answer.status === 401 && hop !== undefined && token !== undefined) {
      // The agent refuses before it reads the call, so sending it again does nothing twice.
      const other = await hop.renewed(token);
      if (other !== undefined) {
        await answer.body?.cancel();
        answer = await send(other);
      }
    }
    if (answer.status === 401 || answer.status === 403)
      throw new Refusal('Unauthenticated', 'bridge', {
        detail: `${origin} answered ${answer.status}`,
      });
    const type = answer.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) return answer;
    const text = await limited(answer.body as AsyncIterable<Uint8Array> | null);
    if (answer.ok) parseStrictJson(text, 'bridge');
    return new Response(text === '' ? null : text, {
      status: answer.status,
      headers: { 'content-type': type },
    });
  };
  return guarded as typeof fetch;
}

async function limited(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER)
      throw new Refusal('Unavailable', 'bridge', { detail: 'answer too large' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
