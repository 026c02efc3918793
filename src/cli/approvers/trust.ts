/** Pinning keys at the resource server: with its own client key it asks the running vault, and the operator compares. */
import type { JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import { displayText } from '../../contract/display.js';
import type { ApproverKey } from '../../contract/wire.js';
import { approverKeys } from '../../contract/wire.js';
import { ask } from '../conversation.js';
import { clientAssertion } from '../client-assertion.js';
import type { TrustOptions } from '../commands/approver.js';
import { domainDir, readConfig, readJson } from '../data-directory.js';
import { runDomain } from '../domain-command.js';
import { call, expectOk } from '../http.js';
import { thumbprint } from '../jwk.js';
import { print } from '../print.js';
import { UsageError } from '../usage-error.js';

/** Shows each thumbprint and asks, because this is where a lying vault would slip in a key of its own. */
export async function trust({ data, approver, keyId, yes }: TrustOptions): Promise<void> {
  const keys = (await enrolledKeys(data, approver)).filter(
    ({ key_id }) => keyId === undefined || key_id === keyId,
  );
  if (keys.length === 0)
    throw new Error(
      `the vault has no such active key of ${displayText(approver)}; see bridge approver list`,
    );
  for (const key of keys) {
    print(
      `${displayText(approver)}  “${displayText(key.label)}”  ${key.scheme}`,
      `   thumbprint ${thumbprint(key.public_jwk)}`,
    );
    const agreed = yes ?? (await confirm());
    if (agreed) await pin(data, key);
    print(agreed ? '   trusted' : '   not trusted');
  }
}

async function confirm(): Promise<boolean> {
  const answer = await ask('   Is it what the approver reads out to you? [y/N] ');
  if (answer === undefined)
    throw new UsageError('nobody is at a terminal to compare it; add --yes if you already did');
  return /^y(es)?$/i.test(answer);
}

async function enrolledKeys(data: string, approver: string): Promise<readonly ApproverKey[]> {
  const { client, approvers, issuer } = readConfig(data, 'rs');
  if (client === undefined)
    throw new Error('rs/config.json has no client with which to ask the vault for keys');
  const jwk = readJson(join(domainDir(data, 'rs'), client.private_jwk_file)) as JsonWebKey;
  const url = `${approvers.directory_url ?? issuer}/v1/approvers/${encodeURIComponent(approver)}/keys`;
  const authorization = `Bearer ${clientAssertion(jwk, client.client_id, issuer)}`;
  const answer = await call(url, { headers: { authorization } });
  return approverKeys.parse(expectOk(answer, 'asking the vault')).keys;
}

async function pin(data: string, key: ApproverKey): Promise<void> {
  const { approver_id, public_jwk, scheme, credential_id, label } = key;
  const credential = credential_id === undefined ? [] : ['--credential-id', credential_id];
  await runDomain(data, 'rs', [
    ...['trust', '--approver', approver_id, '--public-jwk', JSON.stringify(public_jwk)],
    ...['--scheme', scheme, ...credential, '--label', label],
  ]);
}
