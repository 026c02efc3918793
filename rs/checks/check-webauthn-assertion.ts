/**
 * Rule: the assertion is a user-verified ceremony for exactly these bytes, on one of our pages, by this key.
 * Source: WebAuthn L3 section 7.2, step by step; written apart from the vault's, on purpose. Refusal: SignatureMismatch.
 * Steps about the session (which user, which allowed credentials) are check-approver.ts. The signature counter is
 * the vault's to watch: it sees every ceremony, this server only those that reach it.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { WebauthnSignature } from '../../src/contract/payload.js';
import { parseStrictJson } from '../../src/contract/strict-json.js';
import { decodeBase64url } from '../jws.js';
import type { PublicKey } from '../public-key.js';
import { verifySignature } from '../signature-algorithms.js';
import type { AuthenticatorData } from './authenticator-data.js';
import { parseAuthenticatorData } from './authenticator-data.js';

export interface ExpectedCeremony {
  readonly rpId: string;
  /** Exact origins of the pages a signature may come from. */
  readonly origins: readonly string[];
}

/** Browsers may add members (section 5.8.1), so unknown ones are let through; duplicates are not. */
const clientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});
type ClientData = z.infer<typeof clientData>;

/** @param bytes the canonical bytes; the ceremony's challenge is their SHA-256 */
export async function isWebauthnAssertion(
  bytes: Uint8Array,
  assertion: WebauthnSignature,
  key: Pick<PublicKey, 'algorithm' | 'keyObject'>,
  expected: ExpectedCeremony,
): Promise<boolean> {
  const parts = parse(assertion);
  if (parts === undefined) return false;
  const { client, authenticator } = parts;
  return (
    // An attestation or payment ceremony of the same key is not a consent.
    client.type === 'webauthn.get' &&
    // The challenge is what ties the ceremony to this action; an old assertion has another one.
    client.challenge === sha256(bytes).toString('base64url') &&
    // A phishing page has another origin, and the browser writes the true one.
    expected.origins.includes(client.origin) &&
    // Our page inside somebody's frame: the human may not have seen what they clicked.
    client.crossOrigin !== true &&
    client.topOrigin === undefined &&
    // The authenticator's own word for the relying party; the browser cannot forge it.
    authenticator.rpIdHash.equals(sha256(Buffer.from(expected.rpId))) &&
    // Present and verified: not malware tapping, not somebody else with the key in hand.
    authenticator.userPresent &&
    authenticator.userVerified &&
    // A backed-up key that cannot be backed up contradicts itself.
    (authenticator.backupEligible || !authenticator.backedUp) &&
    verifySignature(
      key,
      Buffer.concat([parts.authenticatorData, sha256(parts.clientDataJson)]),
      parts.signature,
      'der',
    )
  );
}

interface AssertionParts {
  readonly authenticatorData: Buffer;
  readonly clientDataJson: Buffer;
  readonly signature: Buffer;
  readonly client: ClientData;
  readonly authenticator: AuthenticatorData;
}

/** Undefined if any part cannot be read as what it should be. */
function parse(assertion: WebauthnSignature): AssertionParts | undefined {
  try {
    const authenticatorData = decodeBase64url(assertion.authenticator_data);
    const clientDataJson = decodeBase64url(assertion.client_data_json);
    // The specification strips a byte order mark here (UTF-8 decode), and so does this decoder.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(clientDataJson);
    return {
      authenticatorData,
      clientDataJson,
      signature: decodeBase64url(assertion.signature),
      client: clientData.parse(parseStrictJson(text, 'rs')),
      authenticator: parseAuthenticatorData(authenticatorData),
    };
  } catch {
    return undefined;
  }
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
