import { createSecretKey } from 'node:crypto';
import * as z from 'zod';
import type { JsonObject } from '../src/contract/json.js';
import type { SignatureScheme } from '../src/contract/payload.js';
import type { ApproverDirectory, EnrolledKey } from './approver-directory.js';
import { sha256Base64url } from './digest.js';
import { importPublicJwk } from './public-key.js';

export interface DirectoryEntry {
  readonly approverId: string;
  readonly scheme: SignatureScheme;
  /** The public JWK; for `hmac-sha256` the `oct` JWK with the secret. */
  readonly jwk: JsonObject;
  /** For `webauthn`. */
  readonly credentialId?: string;
}

/**
 * Tier 1: a fixed list of approvers.
 * @throws Refusal MalformedRequest for a JWK that cannot be imported.
 */
export function memoryDirectory(entries: readonly DirectoryEntry[]): ApproverDirectory {
  const keys = entries.map(enrolledKey);
  return {
    find: (approverId, keyId) =>
      keys.find((key) => key.approverId === approverId && key.keyId === keyId),
  };
}

/** The `oct` JWK of a shared secret (RFC 7518 section 6.4). */
export function octJwk(secret: string | Uint8Array): JsonObject {
  return { k: Buffer.from(secret).toString('base64url'), kty: 'oct' };
}

function enrolledKey({ jwk, ...entry }: DirectoryEntry): EnrolledKey {
  if (entry.scheme !== 'hmac-sha256') return { ...entry, ...importPublicJwk(jwk) };
  const { k } = octKey.parse(jwk);
  return {
    ...entry,
    keyId: sha256Base64url(JSON.stringify({ k, kty: 'oct' })),
    key: createSecretKey(k, 'base64url'),
    alg: 'HS256',
  };
}

const octKey = z.strictObject({ kty: z.literal('oct'), k: z.string().min(1) });
