import type { Signature } from '../contract/payload.js';
import type { ApproverKey } from './approver-key.js';
import { approverAssertion } from './client-assertion.js';
import type { Answer } from './http.js';
import { call } from './http.js';

/** One consent at the consent page, for an approver who signs an assertion for each request instead of keeping a session. */
export class TerminalSession {
  constructor(
    private readonly origin: string,
    private readonly consentId: string,
    private readonly key: ApproverKey,
    private readonly approver: string,
  ) {}

  read(): Promise<Answer> {
    return call(this.url(), { headers: this.headers() });
  }

  approve(signature: Signature): Promise<Answer> {
    return this.post('/approve', { signature });
  }

  decline(reason: string): Promise<Answer> {
    return this.post('/decline', reason === '' ? {} : { reason });
  }

  private post(action: string, json: unknown): Promise<Answer> {
    return call(this.url(action), { method: 'POST', headers: this.headers(), json });
  }

  private url(action = ''): string {
    return `${this.origin}/consents/${this.consentId}${action}`;
  }

  private headers(): Record<string, string> {
    const assertion = approverAssertion(this.key, this.approver, this.origin);
    return { accept: 'application/json', authorization: `Bearer ${assertion}` };
  }
}
