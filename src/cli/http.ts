/** One HTTP call and its whole answer, for the walkthrough, the terminal approver and doctor. */
import { request } from 'undici';
import type { Attempt } from './attempt.js';

export interface Answer {
  readonly status: number;
  /** Parsed when the answer is JSON, else the text. */
  readonly body: unknown;
  readonly location?: string;
  /** Values of every Set-Cookie header. */
  readonly cookies: readonly string[];
}

export interface Call {
  readonly method?: 'GET' | 'PUT' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as application/json. */
  readonly json?: unknown;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Redirects are not followed. Throws one plain line when nothing listens at the address. */
export async function call(url: string, options: Call = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, json, form } = options;
  const body = bodyOf(form, json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const response = await request(url, {
    method,
    headers: body === undefined ? headers : { 'content-type': type, ...headers },
    headersTimeout: 30_000,
    body: body ?? null,
  }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`no answer from ${new URL(url).origin} (${code ?? 'connection failed'})`);
  });
  const text = await response.body.text();
  const setCookie = response.headers['set-cookie'] ?? [];
  const { location } = response.headers;
  return {
    status: response.statusCode,
    body: String(response.headers['content-type']).includes('json') ? JSON.parse(text) : text,
    ...(typeof location === 'string' ? { location } : {}),
    cookies: Array.isArray(setCookie) ? setCookie : [setCookie],
  };
}

function bodyOf(form: Call['form'], json: unknown): string | undefined {
  if (form !== undefined) return new URLSearchParams(form).toString();
  return json === undefined ? undefined : JSON.stringify(json);
}

/** Reads an answer: below 400 it was done, else the problem document (or token error) names code and layer. */
export function attemptOf(answer: Answer, done: string): Attempt {
  if (answer.status < 400) return { kind: 'done', what: done };
  const { code, layer } = (typeof answer.body === 'object' ? answer.body : {}) as {
    code?: string;
    layer?: string;
  };
  return { kind: 'refused', code: code ?? `HTTP ${answer.status}`, layer: layer ?? 'unknown' };
}

/** The body of an answer that has to be a success. Throws what it was instead. */
export function expectOk(answer: Answer, what: string): unknown {
  const attempt = attemptOf(answer, what);
  if (attempt.kind === 'refused') throw new Error(`${what}: ${attempt.code} (${attempt.layer})`);
  return answer.body;
}
