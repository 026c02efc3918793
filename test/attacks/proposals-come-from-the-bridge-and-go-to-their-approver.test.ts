/**
 * Claim: The page takes proposals from the bridge only, and shows each to its approver only.
 * Enforced by: consent-ui/server/clients.ts, consent-ui/server/consent-routes.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import { clientAssertion } from '../../src/cli/client-assertion.js';
import { domainDir, readJson } from '../../src/cli/data-directory.js';
import { call } from '../../src/cli/http.js';
import { generateJwk } from '../../src/cli/jwk.js';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('the consent page takes proposals from the bridge’s key only, and shows nobody else’s consent', async () => {
  const payload = world.bridge.payload(world.caller, 'delete_task', {
    task_id: await world.newTask(),
  });
  const { origin, stack } = { origin: world.stack.origin, stack: world.stack };
  const body = { payload, requested_by: { subject: 'x', client_id: 'y' }, tool: {} };
  const url = `${origin}/v1/consents/${payload.nonce}`;
  const forged = clientAssertion(generateJwk('ES256'), 'bridge', origin);
  const forAnother = clientAssertion(
    readJson(join(domainDir(stack.data, 'bridge'), 'client.jwk')) as JsonWebKey,
    'bridge',
    'http://else',
  );
  const rsKey = clientAssertion(
    readJson(join(domainDir(stack.data, 'rs'), 'client.jwk')) as JsonWebKey,
    'rs',
    origin,
  );
  for (const assertion of [undefined, forged, forAnother, rsKey]) {
    const headers: Record<string, string> =
      assertion === undefined ? {} : { authorization: `Bearer ${assertion}` };
    const answer = await call(url, { method: 'PUT', json: body, headers });
    expect(refusal(answer)).toMatchObject({
      status: 401,
      code: 'Unauthenticated',
      layer: 'consent-ui',
    });
  }
  const link = await world.bridge.propose(payload);
  const mallory = await AttackWorld.on(stack);
  expect(await mallory.person.approve(link)).toMatchObject({ kind: 'refused', code: 'Forbidden' });
  expect(await world.person.approve(link)).toMatchObject({ kind: 'done' });
  await mallory.close();
});
