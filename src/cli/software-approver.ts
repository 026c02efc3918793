/** The approver played by software: makes the requests the page's own script makes, with a software passkey. */
import * as z from 'zod';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { canonicalBytes } from '../contract/canonical.js';
import { form2Payload } from '../contract/payload.js';
import type { ApproverAtPage } from './approver-at-page.js';
import type { Attempt } from './attempt.js';
import type { Answer, Call } from './http.js';
import { attemptOf, call, expectOk } from './http.js';
import { SoftwarePasskey } from './software-passkey.js';

const enrolment = z.looseObject({
  enrolment_id: z.string(),
  options: z.custom<PublicKeyCredentialCreationOptionsJSON>((value) => typeof value === 'object'),
});
const signIn = z.looseObject({
  challenge_id: z.string(),
  options: z.looseObject({ challenge: z.string() }),
});

export class SoftwareApprover implements ApproverAtPage {
  readonly passkey: SoftwarePasskey;
  private readonly cookies = new Map<string, string>();
  private csrf: string | undefined;

  /** @param origin of the consent page. */
  constructor(private readonly origin: string) {
    this.passkey = new SoftwarePasskey(origin);
  }

  async enrol(link: string): Promise<void> {
    const invite = new URLSearchParams(new URL(link).hash.slice(1)).get('invite');
    const begun = await this.post('/enrol/options', { invite });
    const { enrolment_id, options } = enrolment.parse(expectOk(begun, 'enrolling'));
    const response = this.passkey.register(options);
    const label = 'software passkey';
    expectOk(await this.post('/enrol/finish', { enrolment_id, response, label }), 'enrolling');
  }

  async approve(link: string): Promise<Attempt> {
    await this.signIn();
    const { pathname } = new URL(link);
    const read = await this.send(pathname, { headers: { accept: 'application/json' } });
    if (read.status >= 400) return attemptOf(read, 'read');
    const { payload } = z.looseObject({ payload: form2Payload }).parse(read.body);
    const signature = this.passkey.sign(canonicalBytes(payload, 'client'));
    return attemptOf(await this.post(`${pathname}/approve`, { signature }), 'approved');
  }

  async decline(link: string, reason: string): Promise<Attempt> {
    await this.signIn();
    const answer = await this.post(`${new URL(link).pathname}/decline`, { reason });
    return attemptOf(answer, 'declined');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async signIn(): Promise<void> {
    if (this.csrf !== undefined) return;
    const begun = await this.post('/sign-in/options', {});
    const { challenge_id, options } = signIn.parse(expectOk(begun, 'signing in'));
    const response = this.passkey.authenticate(options.challenge);
    expectOk(await this.post('/sign-in/finish', { challenge_id, response }), 'signing in');
    const inbox = await this.send('/', { headers: { accept: 'text/html' } });
    this.csrf = /csrf[^>]*content="([\w-]+)"/.exec(String(inbox.body))?.[1];
    if (this.csrf === undefined) throw new Error('the consent page gave its session no CSRF token');
  }

  private post(path: string, json: unknown): Promise<Answer> {
    const csrf = this.csrf === undefined ? {} : { 'x-csrf-token': this.csrf };
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin', ...csrf };
    return this.send(path, { method: 'POST', headers: { ...headers, origin: this.origin }, json });
  }

  private async send(path: string, options: Call): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...options.headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await call(`${this.origin}${path}`, { ...options, headers });
    for (const line of answer.cookies) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
}
