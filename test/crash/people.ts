/** Agents and approvers for a crash or soak run, made without starting a process for each. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SoftwareApprover } from '../../src/cli/software-approver.js';
import { openDatabase } from '../../src/store/database.js';
import { bridgeRecord } from '../../src/store/record.js';
import { TokenStore } from '../../src/store/tokens.js';
import { invite } from '../../vault/operator/invite.js';
import { openVaultStore } from '../../vault/store/vault-store.js';
import type { Domains } from './domains.js';

export interface Pair {
  readonly subject: string;
  readonly token: string;
  readonly approver: SoftwareApprover;
}

const clock = (): number => Date.now();

/** Each pair is an agent acting for a person, and that person with an enrolled passkey. The domains must be running. */
export async function pairs(domains: Domains, count: number): Promise<readonly [Pair, ...Pair[]]> {
  const vault = openVaultStore(domains.dir('vault'), clock);
  const bridge = openDatabase(join(domains.dir('bridge'), 'bridge.db'));
  const tokens = new TokenStore(bridge, bridgeRecord(bridge, clock).append, clock);
  try {
    const make = async (n: number): Promise<Pair> => {
      const subject = `person-${n}@example.com`;
      const made = await invite({ store: vault, clock, random: randomBytes }, subject, 900);
      const approver = new SoftwareApprover(domains.origin);
      await approver.enrol(`${domains.origin}/enrol#invite=${made.invite}`);
      // Signs in, so that two decisions at once later do not both do that.
      await approver.decline(`${domains.origin}/consents/none`, 'not there');
      const caller = {
        subject,
        client_id: `agent-${n}`,
        scopes: ['tasks.read', 'tasks.write'],
      };
      const { token } = tokens.issue(caller, 24 * 3600);
      return { subject, token, approver };
    };
    const made: [Pair, ...Pair[]] = [await make(0)];
    while (made.length < count) made.push(await make(made.length));
    return made;
  } finally {
    vault.close();
    bridge.close();
  }
}
