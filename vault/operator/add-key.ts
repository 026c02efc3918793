import type { JsonObject } from '../../src/contract/json.js';
import { posixSecondsOf } from '../clock.js';
import type { PublicKey } from '../public-key.js';
import { importPublicJwk } from '../public-key.js';
import { checkApproverId } from './approver-id.js';
import type { Operator } from './operator.js';

/** Schemes of raw keys by their algorithm. RSA is for passkeys only. */
const SCHEMES = { ES256: 'es256', EdDSA: 'eddsa' } as const;

/**
 * Enrols a raw public key (EC P-256 or Ed25519) of a terminal or hardware-key approver.
 * @throws Refusal MalformedRequest for a JWK that is no such key; Error if the key is known already.
 */
export async function addKey(
  { store, clock }: Operator,
  approverId: string,
  jwk: JsonObject,
  label: string,
): Promise<{ approver_id: string; key_id: string; scheme: string }> {
  checkApproverId(approverId);
  const key = importPublicJwk(jwk);
  const enrolled = { approver_id: approverId, key_id: key.keyId, scheme: schemeOf(key) };
  await store.commits.run(() => {
    const added = store.approverKeys.add({
      ...enrolled,
      public_jwk: JSON.stringify(key.jwk),
      cose_key: null,
      credential_id: null,
      counter: 0,
      label,
      created_at: posixSecondsOf(clock),
      revoked_at: null,
    });
    if (!added) throw new Error(`key ${key.keyId} is or was enrolled already`);
    store.record.append('approver-key.enrolled', { ...enrolled, by: 'operator' });
  });
  return enrolled;
}

function schemeOf({ alg }: PublicKey): 'es256' | 'eddsa' {
  if (alg === 'RS256') throw new Error('--public-jwk must be an EC P-256 or an Ed25519 key');
  return SCHEMES[alg];
}
