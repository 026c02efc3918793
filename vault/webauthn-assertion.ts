/**
 * Verifies that a human consented with a passkey: WebAuthn L3 section 7.2, "Verifying an Authentication Assertion", in
 * the section's order and with its names, the challenge being SHA-256 of the canonical bytes. Written by hand on
 * node:crypto, and again, apart from this, in the resource server, on purpose: the two must not share a mistake.
 */
import type { Signature } from '../src/contract/payload.js';
import type { EnrolledKey } from './approver-directory.js';
import type { Consent, SignatureFacts } from './consent.js';
import { sha256, sha256Base64url } from './digest.js';
import { isOneCborMap } from './extension-data.js';
import { verifySignature } from './public-key.js';
import { refuse } from './refuse.js';
import type { WebauthnExpectations } from './webauthn-client-data.js';
import { readClientData } from './webauthn-client-data.js';

/** Section 6.1: rpIdHash (32), flags (1), signCount (4), then extensions if announced. */
const FIXED_LENGTH = 37;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const ATTESTED_DATA = 0x40;
const EXTENSIONS = 0x80;

/**
 * @returns the authenticator's signature counter; 0 from authenticators that keep none.
 * @throws Refusal SignatureMismatch, with the step that failed as `detail`.
 */
export async function verifyAssertion(
  { bytes, signature }: Consent,
  enrolled: EnrolledKey,
  expected: WebauthnExpectations,
): Promise<SignatureFacts> {
  if (signature.scheme !== 'webauthn') throw mismatch('scheme');
  // The account is the one the signed payload names, so no user handle is read: it could only contradict.
  if (signature.credential_id !== enrolled.credentialId) throw mismatch('credential id');
  checkClientData(signature.client_data_json, bytes, expected.origins);
  const authenticatorData = Buffer.from(signature.authenticator_data, 'base64url');
  const counter = checkAuthenticatorData(authenticatorData, expected.rpId);
  await checkSigned(signature, authenticatorData, enrolled);
  return { counter };
}

/** `C.type` to `C.topOrigin`. Without the challenge, any assertion this passkey ever made would approve anything. */
function checkClientData(encoded: string, bytes: Uint8Array, origins: readonly string[]): void {
  const { type, challenge, origin } = readClientData(encoded, 'SignatureMismatch');
  if (type !== 'webauthn.get') throw mismatch('type');
  if (challenge !== sha256Base64url(bytes)) throw mismatch('challenge');
  if (!origins.includes(origin)) throw mismatch('origin');
}

/** `rpIdHash` to the extensions. Without user verification, whoever holds the unlocked device could approve. */
function checkAuthenticatorData(data: Buffer, rpId: string): number {
  if (data.length < FIXED_LENGTH) throw mismatch('authenticator data length');
  if (!data.subarray(0, 32).equals(sha256(rpId))) throw mismatch('rp id');
  const flags = data.readUInt8(32);
  if ((flags & USER_PRESENT) === 0) throw mismatch('user presence');
  if ((flags & USER_VERIFIED) === 0) throw mismatch('user verification');
  if ((flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0) throw mismatch('backup flags');
  if ((flags & ATTESTED_DATA) !== 0) throw mismatch('attested data in an assertion');
  const rest = data.subarray(FIXED_LENGTH);
  // Extension outputs, a CBOR map, are covered by the signature and not used.
  const announced = (flags & EXTENSIONS) !== 0 ? isOneCborMap(rest) : rest.length === 0;
  if (!announced) throw mismatch('trailing data');
  return data.readUInt32BE(33);
}

/** `sig` over `authData` and the hash of `cData`. The algorithm is the enrolled key's. */
async function checkSigned(
  signature: Extract<Signature, { scheme: 'webauthn' }>,
  authenticatorData: Buffer,
  { key, alg }: EnrolledKey,
): Promise<void> {
  if (alg === 'HS256') throw mismatch('algorithm');
  const clientDataHash = sha256(Buffer.from(signature.client_data_json, 'base64url'));
  const signed = Buffer.concat([authenticatorData, clientDataHash]);
  const made = Buffer.from(signature.signature, 'base64url');
  if (!(await verifySignature({ key, alg }, signed, made, 'der'))) throw mismatch('signature');
}

function mismatch(step: string): Error {
  return refuse('SignatureMismatch', { detail: `webauthn: ${step}` });
}
