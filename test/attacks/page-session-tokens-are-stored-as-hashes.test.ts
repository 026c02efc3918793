/**
 * Claim: Who reads the page’s database gets no session out of it.
 * Enforced by: consent-ui/server/sessions.ts, consent-ui/server/store/database.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

attack('the token is nowhere in the files of the page', async ({ world, visitor }) => {
  expect((await visitor.get('/')).status).toBe(200);
  const token = visitor.cookie.split('=')[1] ?? '';
  const dir = domainDir(world.stack.data, 'consent-ui');
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name)));
  expect(files.some((file) => file.includes(hashOf(token)))).toBe(true);
  for (const secret of [token, visitor.csrf]) {
    expect(files.some((file) => file.includes(secret))).toBe(false);
    expect(files.some((file) => file.includes(Buffer.from(secret, 'base64url')))).toBe(false);
  }
});
