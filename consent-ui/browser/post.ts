import { isJsonObject, type JsonObject } from '../../src/contract/json.js';

/** What became of a request to our own server. `later`: offline, restarting or busy; the same may be sent again. */
export type Answer =
  | { readonly kind: 'ok'; readonly body: JsonObject }
  | { readonly kind: 'refused'; readonly code: string; readonly sentence: string }
  | { readonly kind: 'later' };

/** Refusals that say nothing about the request itself. */
const PASSING: ReadonlySet<string> = new Set(['Unavailable', 'Internal', 'RateLimited']);

/** Posts JSON with the session's CSRF token. Never rejects. */
export function post(path: string, body: unknown): Promise<Answer> {
  const csrf = document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? '';
  return send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
    body: JSON.stringify(body),
  });
}

/** Never rejects. */
export function get(path: string): Promise<Answer> {
  return send(path, {});
}

async function send(path: string, init: RequestInit): Promise<Answer> {
  try {
    const headers = new Headers(init.headers);
    headers.set('accept', 'application/json');
    const response = await fetch(path, { ...init, headers, redirect: 'error', cache: 'no-store' });
    const body: unknown = await response.json();
    if (!isJsonObject(body)) return { kind: 'later' };
    if (response.ok) return { kind: 'ok', body };
    const { code, title } = body;
    if (typeof code !== 'string' || PASSING.has(code)) return { kind: 'later' };
    return { kind: 'refused', code, sentence: typeof title === 'string' ? title : '' };
  } catch {
    return { kind: 'later' };
  }
}
