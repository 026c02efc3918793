/** Enrolment and tokens without the page and without a process for each: the operator's own code on the operator's own files. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { domainDir } from '../../src/cli/data-directory.js';
import { type Answer, call, expectOk } from '../../src/cli/http.js';
import type { Caller } from '../../src/contract/wire.js';
import { openDatabase } from '../../src/store/database.js';
import { bridgeRecord } from '../../src/store/record.js';
import { TokenStore } from '../../src/store/tokens.js';
import { invite } from '../../vault/operator/invite.js';
import { openVaultStore } from '../../vault/store/vault-store.js';
import { ServiceIdentity } from './service-identity.js';
import type { TestStack } from './test-stack.js';

/** What `vault invite` prints. */
export async function inviteOf(stack: TestStack, approverId: string, ttl = 900): Promise<string> {
  const store = openVaultStore(domainDir(stack.data, 'vault'), Date.now);
  const operator = { store, clock: Date.now, random: randomBytes };
  try {
    return (await invite(operator, approverId, ttl)).invite;
  } finally {
    store.close();
  }
}

/** What `bridge token issue` prints. */
export function tokenFor(stack: TestStack, caller: Caller, ttlSeconds = 3600): string {
  const db = openDatabase(join(domainDir(stack.data, 'bridge'), 'bridge.db'));
  try {
    const tokens = new TokenStore(db, bridgeRecord(db, Date.now).append, Date.now);
    return tokens.issue(caller, ttlSeconds).token;
  } finally {
    db.close();
  }
}

export interface EnrolmentBegun {
  readonly enrolment_id: string;
  readonly options: PublicKeyCredentialCreationOptionsJSON;
}

/** The vault's ceremonies, with the consent page's own client key. */
export class CeremonyClient {
  private readonly page: ServiceIdentity;

  constructor(private readonly stack: TestStack) {
    this.page = new ServiceIdentity(stack, 'consent-ui');
  }

  post(path: string, json: unknown): Promise<Answer> {
    const { issuer } = this.stack.configs.vault;
    const headers = this.page.bearer(issuer);
    return call(`${issuer}/v1/${path}`, { method: 'POST', headers, json });
  }

  async begin(invitation: string): Promise<EnrolmentBegun> {
    const answer = await this.post('enrolments/options', { invite: invitation });
    return expectOk(answer, 'enrolling') as EnrolmentBegun;
  }

  finish({ enrolment_id }: EnrolmentBegun, response: RegistrationResponseJSON): Promise<Answer> {
    return this.post('enrolments/finish', { enrolment_id, response, label: 'a passkey' });
  }

  /** Enrols what `register` makes of the options. */
  async enrol(
    approverId: string,
    register: (options: PublicKeyCredentialCreationOptionsJSON) => RegistrationResponseJSON,
  ): Promise<void> {
    const begun = await this.begin(await inviteOf(this.stack, approverId));
    expectOk(await this.finish(begun, register(begun.options)), 'enrolling');
  }
}
