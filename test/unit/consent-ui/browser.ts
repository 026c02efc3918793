/** Sends what a browser would send, and lets a test send something else instead. */
import type { PageUnderTest } from './page-under-test.js';

/** A parsed answer: a test looks for what it expects and fails when it is not there. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

type Headers = Record<string, string | undefined>;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  /** The parsed body when it is JSON. */
  readonly json: Json;
}

export class Browser {
  /** Value of the session cookie. */
  cookie: string | undefined;
  csrf: string | undefined;

  constructor(private readonly page: PageUnderTest) {}

  /** Signs in, and reads the session's CSRF token from a page as a script would. */
  async signIn(as: string): Promise<Answer> {
    const answer = await this.post('/sign-in/finish', { challenge_id: 'c1', response: { as } });
    this.csrf = /csrf-token" content="([^"]+)"/.exec((await this.get('/sign-in')).text)?.[1];
    return answer;
  }

  get(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, { accept: 'text/html', ...headers });
  }

  getJson(path: string, headers: Headers = {}): Promise<Answer> {
    return this.send('GET', path, undefined, { accept: 'application/json', ...headers });
  }

  post(path: string, body: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), {
      accept: 'application/json',
      'content-type': 'application/json',
      origin: this.page.origin,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': this.csrf,
      ...headers,
    });
  }

  /** Header values given as `undefined` are not sent. */
  async send(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: string | undefined,
    headers: Headers,
  ): Promise<Answer> {
    const all: Headers = {
      host: new URL(this.page.origin).host,
      cookie: this.cookie,
      ...headers,
    };
    const response = await this.page.http.request({
      method,
      path,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.body.text();
    const set = response.headers['set-cookie'];
    if (set !== undefined) this.cookie = (Array.isArray(set) ? set[0] : set)?.split(';')[0];
    const isJson = response.headers['content-type']?.includes('json') === true;
    const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: response.statusCode, headers: response.headers, text, json };
  }
}
