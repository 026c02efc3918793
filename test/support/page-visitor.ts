/** A browser at the consent page as an attacker sees it: each request in the open, every header up for change. */
import { request } from 'undici';
import { type Answer, call, expectOk } from '../../src/cli/http.js';
import type { SoftwarePasskey } from '../../src/cli/software-passkey.js';
import type { TestStack } from './test-stack.js';

export type Headers = Readonly<Record<string, string>>;

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export class PageVisitor {
  private constructor(
    readonly origin: string,
    /** `session=…`, as the Cookie header carries it. */
    readonly cookie: string,
    readonly csrf: string,
    /** The Set-Cookie line that began the session. */
    readonly setCookie: string,
  ) {}

  static async signedIn(
    stack: TestStack,
    passkey: SoftwarePasskey,
    headers: Headers = {},
  ): Promise<PageVisitor> {
    const { origin } = stack;
    const begun = await signInOptions(origin);
    const response = passkey.authenticate(begun.options.challenge);
    const done = await call(`${origin}/sign-in/finish`, {
      method: 'POST',
      headers: { origin, ...headers },
      json: { challenge_id: begun.challenge_id, response },
    });
    expectOk(done, 'signing in');
    const [setCookie = ''] = done.cookies;
    const [cookie = ''] = setCookie.split(';');
    const inbox = await page(`${origin}/`, { cookie, accept: 'text/html' });
    const csrf = /csrf[^>]*content="([\w-]+)"/.exec(inbox.text)?.[1] ?? '';
    return new PageVisitor(origin, cookie, csrf, setCookie);
  }

  /** GET with the session, as a program. */
  get(path: string, headers: Headers = {}): Promise<Answer> {
    return call(`${this.origin}${path}`, { headers: { cookie: this.cookie, ...headers } });
  }

  /** GET with the session, as a browser. */
  html(path: string, headers: Headers = {}): Promise<Page> {
    return page(`${this.origin}${path}`, { cookie: this.cookie, accept: 'text/html', ...headers });
  }

  /** POST as the page's own script does; a header given as '' is left out. */
  post(path: string, json: unknown, headers: Headers = {}): Promise<Answer> {
    const own = {
      cookie: this.cookie,
      origin: this.origin,
      'sec-fetch-site': 'same-origin',
      'x-csrf-token': this.csrf,
    };
    const sent = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== '');
    return call(`${this.origin}${path}`, {
      method: 'POST',
      headers: Object.fromEntries(sent),
      json,
    });
  }
}

export interface SignInBegun {
  readonly challenge_id: string;
  readonly options: { readonly challenge: string };
}

export async function signInOptions(origin: string): Promise<SignInBegun> {
  const begun = await call(`${origin}/sign-in/options`, {
    method: 'POST',
    headers: { origin },
    json: {},
  });
  return expectOk(begun, 'signing in') as SignInBegun;
}

export async function page(url: string, headers: Headers): Promise<Page> {
  const { statusCode, headers: answered, body } = await request(url, { headers });
  return { status: statusCode, headers: answered, text: await body.text() };
}
