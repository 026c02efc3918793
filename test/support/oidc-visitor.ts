/** A browser that signs in at the consent page through the authorization server, each step in the open. */
import { type Answer, call, expectOk } from '../../src/cli/http.js';
import { authorizedAt } from './authorization-server.js';
import type { TestStack } from './test-stack.js';

export interface Begun {
  /** `oidc=…`, as the Cookie header carries it. */
  readonly cookie: string;
  readonly setCookie: string;
  /** Where the page sends the browser. */
  readonly url: URL;
}

export async function begin(stack: TestStack, next = '/'): Promise<Begun> {
  const answer = await startAt(stack, next, { origin: stack.origin });
  const { url } = expectOk(answer, 'beginning to sign in') as { url: string };
  const [setCookie = ''] = answer.cookies;
  return { cookie: setCookie.split(';')[0] ?? '', setCookie, url: new URL(url) };
}

export function startAt(
  stack: TestStack,
  next: string,
  headers: Record<string, string>,
): Promise<Answer> {
  return call(`${stack.origin}/sign-in/oidc/start`, { method: 'POST', headers, json: { next } });
}

/** The person signs in at the provider; what it sends the browser back with. */
export async function provided(
  stack: TestStack,
  { url }: Pick<Begun, 'url'>,
  account: string,
): Promise<URLSearchParams> {
  const at = new URL(url);
  at.searchParams.set('login_hint', account);
  const callback = `${stack.origin}/sign-in/oidc/callback`;
  return (await authorizedAt(at.href, callback)).searchParams;
}

export function finish(
  stack: TestStack,
  cookie: string,
  query: URLSearchParams | string,
  headers: Record<string, string> = { origin: stack.origin },
): Promise<Answer> {
  return call(`${stack.origin}/sign-in/oidc/finish`, {
    method: 'POST',
    headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
    json: { query: query.toString() },
  });
}

/** The whole way. */
export async function signedIn(
  stack: TestStack,
  account: string,
  next = '/',
  cookies = '',
): Promise<Answer> {
  const begun = await begin(stack, next);
  const query = await provided(stack, begun, account);
  return finish(stack, [begun.cookie, cookies].filter(Boolean).join('; '), query);
}

/** The session an answer began, as the Cookie header carries it. */
export function sessionOf({ cookies }: Answer): string {
  const line = cookies.find((cookie) => cookie.startsWith('session=')) ?? '';
  return line.split(';')[0] ?? '';
}
