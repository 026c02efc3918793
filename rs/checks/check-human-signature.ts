/**
 * Rule: the approver's key signed the bytes this server rebuilt, in the scheme the key is pinned to.
 * Source: DESIGN section 5; RFC 8032, RFC 7518 section 3.4, WebAuthn L3 section 7.2. Refusal: SignatureMismatch.
 * Without it: the vault alone decides what a human agreed to. This check is what a vault that was taken over fails.
 */
import { Refusal } from '../../src/contract/errors.js';
import type { Signature } from '../../src/contract/payload.js';
import type { PinnedKey } from '../pinned-key.js';
import { verifySignature } from '../signature-algorithms.js';
import type { Passed } from '../states.js';
import type { ExpectedCeremony } from './check-webauthn-assertion.js';
import { isWebauthnAssertion } from './check-webauthn-assertion.js';

export async function checkHumanSignature(
  call: Passed<'approver'>,
  expected: ExpectedCeremony,
): Promise<Passed<'human'>> {
  const { bytes, key, signed } = call.facts;
  if (!(await isSignatureOver(bytes, signed.signature, key, expected))) {
    throw new Refusal('SignatureMismatch', 'rs', { detail: signed.signature.scheme });
  }
  return call.pass('human', call.facts);
}

function isSignatureOver(
  bytes: Uint8Array,
  signature: Signature,
  key: PinnedKey,
  expected: ExpectedCeremony,
): Promise<boolean> {
  switch (signature.scheme) {
    case 'webauthn':
      return isWebauthnAssertion(bytes, signature, key, expected);
    case 'eddsa':
    case 'es256':
      return verifySignature(key, bytes, Buffer.from(signature.signature, 'base64url'), 'raw');
    case 'hmac-sha256':
      // Tier 1 only; no such key can be pinned here either.
      return Promise.resolve(false);
  }
}
