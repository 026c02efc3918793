/** Finds everything in a directory that could be used as a signing key. */
import type { JsonWebKey } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** PKCS #8 wrapping of a raw Ed25519 seed (RFC 8410 section 7). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface FoundKey {
  /** File, and what it was taken for. */
  readonly where: string;
  readonly jwk: JsonWebKey;
}

/** Private JWKs as they are; 32 raw octets both as an Ed25519 seed and (where there is a text of them) nothing else fits. */
export function findKeys(directory: string): FoundKey[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => keysIn(join(entry.parentPath, entry.name), entry.name));
}

function keysIn(path: string, name: string): FoundKey[] {
  const text = readFileSync(path, 'latin1');
  const jwks = [...text.matchAll(/\{[^{}]*"d"\s*:\s*"[\w-]+"[^{}]*\}/g)].flatMap(([json]) =>
    keyOf(name, () => createPrivateKey({ key: JSON.parse(json) as JsonWebKey, format: 'jwk' })),
  );
  const secret = /^[\w-]{43}\s*$/.test(text) ? Buffer.from(text.trim(), 'base64url') : undefined;
  if (secret?.length !== 32) return jwks;
  const der = Buffer.concat([ED25519_PKCS8, secret]);
  return [
    ...jwks,
    ...keyOf(`${name} as an Ed25519 seed`, () =>
      createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    ),
  ];
}

function keyOf(where: string, load: () => ReturnType<typeof createPrivateKey>): FoundKey[] {
  try {
    return [{ where, jwk: load().export({ format: 'jwk' }) }];
  } catch {
    return [];
  }
}
