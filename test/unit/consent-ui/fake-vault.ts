import { Refusal } from '../../../src/contract/errors.js';
import type { SignedPayload } from '../../../src/contract/payload.js';
import type { ApproverKey } from '../../../src/contract/wire.js';
import type { Vault } from '../../../consent-ui/server/vault-client.js';

export const KEY_ID = 'k'.repeat(43);

/** A vault that believes what it is told: the consent page's own rules are what these tests look at. */
export class FakeVault implements Vault {
  readonly revoked = new Set<string>();
  readonly examined: SignedPayload[] = [];
  assertionsSeen = 0;
  /** What `examine` does; by default it accepts. */
  onExamine: () => Promise<void> = () => Promise.resolve();
  /** When set, every call fails so. */
  failure: Refusal | undefined;

  enrolmentOptions(invite: string) {
    this.fail();
    if (invite !== 'good-invite') throw new Refusal('InviteInvalid', 'vault');
    return Promise.resolve({ enrolment_id: 'e1', approver_id: 'alice@example.com', options: {} });
  }

  finishEnrolment() {
    this.fail();
    return Promise.resolve({
      approver_id: 'alice@example.com',
      key_id: KEY_ID,
      credential_id: 'Y3JlZA',
    });
  }

  signInOptions() {
    this.fail();
    return Promise.resolve({ challenge_id: 'c1', options: { challenge: 'AAAA' } });
  }

  finishSignIn({ response }: { response: { readonly [member: string]: unknown } }) {
    this.fail();
    if (typeof response['as'] !== 'string') throw new Refusal('CeremonyFailed', 'vault');
    return Promise.resolve({ approver_id: response['as'], key_id: KEY_ID });
  }

  signInWithKey(assertion: string) {
    this.fail();
    this.assertionsSeen += 1;
    const [, claims = ''] = assertion.split('.');
    const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string };
    if (sub === 'stranger') throw new Refusal('UnknownApprover', 'vault');
    return Promise.resolve({ approver_id: sub, key_id: KEY_ID });
  }

  async examine(signed: SignedPayload): Promise<void> {
    this.fail();
    this.examined.push(signed);
    await this.onExamine();
  }

  keysOf(approver_id: string): Promise<readonly ApproverKey[]> {
    this.fail();
    if (this.revoked.has(approver_id)) return Promise.resolve([]);
    const key = {
      approver_id,
      key_id: KEY_ID,
      scheme: 'webauthn',
      public_jwk: {},
      label: 'x',
    } as const;
    return Promise.resolve([{ ...key, credential_id: 'Y3JlZA', created_at: 1 }]);
  }

  private fail(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}
