/**
 * Claim: Whoever has the resource server’s key, database and sockets can run its own tool, but propose, approve, enrol and mint nothing.
 * Enforced by: vault/clients.ts, consent-ui/server/clients.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { call } from '../../src/cli/http.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { mintKeyOf } from '../support/taken-over-vault.js';
import { exchange } from '../support/token-exchange.js';
import { keysOf } from '../support/vault-directory.js';

attack('its key opens the list of public keys, and nothing else', async ({ world }) => {
  const { stack, caller } = world;
  const rs = new ServiceIdentity(stack, 'rs');
  const { issuer } = stack.configs.vault;
  expect(await keysOf(stack, caller.subject)).toHaveLength(1);
  const { signed } = await world.signedDeletion();
  expect(
    (await exchange(stack, signed, { client_assertion: rs.assertion(issuer) })).body,
  ).toMatchObject({ code: 'Forbidden' });
  for (const path of [
    'enrolments/options',
    'sign-in/options',
    'sign-in/key',
    'signatures/examine',
  ]) {
    const answer = await call(`${issuer}/v1/${path}`, {
      method: 'POST',
      headers: rs.bearer(issuer),
      json: {},
    });
    expect(refusal(answer)).toEqual({ status: 403, code: 'Forbidden', layer: 'vault' });
  }
  const payload = world.bridge.payload(caller, 'delete_task', {});
  const proposed = await call(`${stack.origin}/v1/consents/${payload.nonce}`, {
    method: 'PUT',
    headers: rs.bearer(stack.origin),
    json: {},
  });
  expect(refusal(proposed)).toEqual({ status: 401, code: 'Unauthenticated', layer: 'consent-ui' });
  const dir = domainDir(stack.data, 'rs');
  const held = readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'latin1'))
    .join('');
  for (const secret of [
    mintKeyOf(stack).jwk['d'] ?? '-',
    String(new ServiceIdentity(stack, 'bridge').key.d),
  ]) {
    expect(held.includes(secret)).toBe(false);
  }
  expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
});
