/**
 * Claim: Who reads the bridge’s database gets no agent’s token out of it.
 * Enforced by: src/store/tokens.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rpc } from '../support/mcp-attack.js';

attack('the token is nowhere in the bridge’s files', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  expect(
    (await rpc(stack, token, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })).status,
  ).toBe(200);
  const dir = domainDir(stack.data, 'bridge');
  const files = readdirSync(dir).map((name) => readFileSync(join(dir, name)));
  expect(files.some((file) => file.includes(createHash('sha256').update(token).digest()))).toBe(
    true,
  );
  expect(files.some((file) => file.includes(token) || file.includes(token.slice(3)))).toBe(false);
});
