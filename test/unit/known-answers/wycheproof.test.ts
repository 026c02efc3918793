/**
 * Project Wycheproof: signatures that broken verifiers took, or refused. Both verifiers are asked, the vault's and the
 * resource server's, each with keys loaded by its own loader. Source of the data: README.md beside this file.
 */
import { expect, test } from 'vitest';
import { loadPublicKey } from '../../../rs/public-key.js';
import { verifySignature as rsVerifies } from '../../../rs/signature-algorithms.js';
import { importPublicJwk } from '../../../vault/public-key.js';
import { verifySignature as vaultVerifies } from '../../../vault/public-key.js';
import type { SignatureVector } from './published-vectors.js';
import { wycheproof } from './published-vectors.js';

type Verifier = (vector: SignatureVector, encoding: 'der' | 'raw') => Promise<boolean>;

const VERIFIERS: readonly (readonly [string, Verifier])[] = [
  [
    'vault',
    ({ jwk, msg, sig }, encoding) =>
      vaultVerifies(
        importPublicJwk(jwk),
        Buffer.from(msg, 'hex'),
        Buffer.from(sig, 'hex'),
        encoding === 'der' ? 'der' : 'ieee-p1363',
      ),
  ],
  [
    'rs',
    ({ jwk, msg, sig }, encoding) =>
      rsVerifies(loadPublicKey(jwk), Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'), encoding),
  ],
];

/**
 * Wycheproof leaves these to the verifier: a DER integer without the zero before its highest bit, and r and s of one
 * octet each. They are second spellings of a signature, so both verifiers refuse more than they must.
 */
const ACCEPTABLE = 'refused';

test.each([
  { name: 'ecdsa-p256-sha256-der', encoding: 'der', valid: 147, invalid: 239, acceptable: 1 },
  { name: 'ecdsa-p256-sha256-p1363', encoding: 'raw', valid: 146, invalid: 69, acceptable: 4 },
  { name: 'ed25519', encoding: 'raw', valid: 84, invalid: 61, acceptable: 0 },
] as const)('$name', async ({ name, encoding, ...counts }) => {
  const vectors = wycheproof(name);
  const expected = vectors.map(({ id, comment, result }) => {
    const verdict = result === 'acceptable' ? ACCEPTABLE : result === 'valid' ? 'taken' : 'refused';
    return `${id} ${verdict} (${comment})`;
  });
  for (const [who, verifies] of VERIFIERS) {
    const said = await Promise.all(
      vectors.map(async (vector) => {
        const verdict = (await verifies(vector, encoding)) ? 'taken' : 'refused';
        return `${vector.id} ${verdict} (${vector.comment})`;
      }),
    );
    expect(said, who).toEqual(expected);
  }
  const count = (result: string) => vectors.filter((vector) => vector.result === result).length;
  expect({
    valid: count('valid'),
    invalid: count('invalid'),
    acceptable: count('acceptable'),
  }).toEqual(counts);
});
