/**
 * Rule: `typ` is `at+jwt`; the algorithm is the one pinned to the key that `kid` names in the issuer's published set,
 * and one the configuration lists; that key made the signature; the claims then have their documented types.
 * Source: RFC 9068 section 4, RFC 8725 sections 3.1, 3.2 and 3.11.
 * Refusals: MalformedCredential (typ, alg, claims), UnknownIssuer (kid or signature), Unavailable (keys unreachable).
 * Without it: `alg: none`, or HS256 with the public key as the secret, makes anybody the issuer; a client assertion
 * (another `typ`) signed by the same key would pass for a credential.
 */
import { Refusal } from '../../src/contract/errors.js';
import { credentialClaims } from '../../src/contract/vault.js';
import { CREDENTIAL_TYP } from '../../src/contract/wire.js';
import type { IssuerKeys } from '../issuer-keys.js';
import { verifySignature } from '../signature-algorithms.js';
import type { Passed } from '../states.js';

export interface ExpectedIssuerKeys {
  readonly keys: IssuerKeys;
  /** The algorithms a credential may use. */
  readonly algorithms: readonly string[];
}

export async function checkCredentialSignature(
  call: Passed<'shape'>,
  expected: ExpectedIssuerKeys,
): Promise<Passed<'signature'>> {
  const { jws, request, credential, signed } = call.facts;
  const { alg, typ, kid } = jws.header;
  if (typ !== CREDENTIAL_TYP) throw malformed('typ');
  if (!expected.algorithms.includes(alg)) throw malformed('alg');
  const key = await expected.keys.find(kid);
  if (key === undefined) throw new Refusal('UnknownIssuer', 'rs', { detail: 'kid not published' });
  if (key.algorithm !== alg) throw malformed('alg of another key type');
  if (!(await verifySignature(key, jws.signingInput, jws.signature, 'raw'))) {
    throw new Refusal('UnknownIssuer', 'rs', { detail: 'signature does not verify' });
  }
  const claims = credentialClaims.safeParse(jws.payload);
  if (!claims.success) throw malformed(`claim ${String(claims.error.issues[0]?.path[0])}`);
  return call.pass('signature', { request, credential, signed, claims: claims.data });
}

function malformed(detail: string): Refusal {
  return new Refusal('MalformedCredential', 'rs', { detail });
}
