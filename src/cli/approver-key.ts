/** The local key of someone who approves in a terminal: a private JWK file that may name its owner. */
import type { JsonWebKey } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { readJson } from './data-directory.js';
import { generateJwk } from './jwk.js';
import { UsageError } from './usage-error.js';

const keyFile = z.looseObject({
  kty: z.enum(['OKP', 'EC']),
  crv: z.enum(['Ed25519', 'P-256']),
  x: z.string(),
  y: z.string().optional(),
  d: z.string().optional(),
  approver_id: z.string().optional(),
});

/** A JWK, and whose it is if the file says so. */
export type ApproverKey = JsonWebKey & { readonly approver_id?: string };

/** Writes a fresh Ed25519 key (0600). Refuses to overwrite: a lost key is a lost approver. Returns its key id. */
export function createApproverKey(file: string, approverId: string | undefined): string {
  const jwk = generateJwk('EdDSA');
  const content = { ...jwk, ...(approverId === undefined ? {} : { approver_id: approverId }) };
  if (statSync(file, { throwIfNoEntry: false })) throw new Error(`${file} exists already`);
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  return jwk.kid;
}

export function readApproverKey(file: string): ApproverKey {
  const parsed = keyFile.safeParse(readJson(file));
  if (!parsed.success) throw new UsageError(`${file} is not a JWK of an Ed25519 or P-256 key`);
  return parsed.data as ApproverKey;
}
