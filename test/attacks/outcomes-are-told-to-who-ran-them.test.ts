/**
 * Claim: What came of an execution is told to the service that ran it and to nobody else; another’s is as unknown as none.
 * Enforced by: rs/store/executions.ts, rs/app.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { ServiceIdentity } from '../support/service-identity.js';

attack('strangers and other ids get the same answer', async ({ world }) => {
  const { stack } = world;
  const { resource } = stack.configs.rs;
  const honest = await world.approvedDeletion();
  const { body } = await world.execute(honest);
  const { jti } = body as { jti: string };
  const read = (id: string, headers: Record<string, string>) =>
    call(`${resource}/v1/executions/${id}`, { headers });
  const bridge = new ServiceIdentity(stack, 'bridge').bearer(resource);
  expect((await read(jti, bridge)).body).toMatchObject({ jti, state: 'success' });
  for (const id of [
    'x',
    jti.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
    '%00',
    "'%20OR%201=1",
    '__proto__',
  ]) {
    expect(refusal(await read(id, bridge))).toEqual({ status: 404, code: 'NotFound', layer: 'rs' });
  }
  for (const id of [jti, 'x']) {
    expect(refusal(await read(id, {}))).toEqual({
      status: 401,
      code: 'Unauthenticated',
      layer: 'rs',
    });
  }
});
