/** The vault, taken over: its active mint key, read from its own database, signs whatever the attacker likes. */
import Database from 'better-sqlite3';
import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { SignedPayload } from '../../src/contract/payload.js';
import type { TestStack } from './test-stack.js';

export interface MintKey {
  readonly keyId: string;
  readonly alg: string;
  readonly jwk: Record<string, string>;
}

export function mintKeyOf(stack: TestStack): MintKey {
  const db = new Database(join(domainDir(stack.data, 'vault'), 'vault.db'), { readonly: true });
  const row = db
    .prepare<[], { key_id: string; alg: string; private_jwk: string }>(
      'SELECT key_id, alg, private_jwk FROM mint_key WHERE publish_until IS NULL',
    )
    .get()!;
  db.close();
  return {
    keyId: row.key_id,
    alg: row.alg,
    jwk: JSON.parse(row.private_jwk) as Record<string, string>,
  };
}

/** The claims an honest vault would mint for this payload. */
export function claimsFor(
  stack: TestStack,
  { payload }: Pick<SignedPayload, 'payload'>,
): Record<string, unknown> {
  if (!('v' in payload)) throw new Error('form 2 only');
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: stack.configs.vault.issuer,
    aud: payload.aud,
    sub: payload.approver_id,
    client_id: payload.client_id,
    iat: now,
    exp: payload.exp,
    jti: `${Date.now().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`,
    authorization_details: [{ type: payload.rar_type, command: payload.cmd, args: payload.args }],
    consent: {
      hash: createHash('sha256').update(canonicalBytes(payload, 'client')).digest('base64url'),
      form: 2,
      nonce: payload.nonce,
    },
  };
}

/** A JWT over any claims and header, signed with the vault's own key. */
export function mintAnything(
  key: MintKey,
  claims: unknown,
  header: Record<string, unknown> = {},
): string {
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${encode({ alg: key.alg, typ: 'at+jwt', kid: key.keyId, ...header })}.${encode(claims)}`;
  const privateKey = createPrivateKey({ key: key.jwk, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(input), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${input}.${signature.toString('base64url')}`;
}
