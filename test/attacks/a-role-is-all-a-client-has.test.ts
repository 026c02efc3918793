/**
 * Claim: A client does what its role says at each service and nothing else: the page cannot mint or execute, nor the resource server propose or enrol.
 * Enforced by: vault/clients.ts, rs/client-authentication.ts, consent-ui/server/clients.ts
 */
import { expect } from 'vitest';
import { call } from '../../src/cli/http.js';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchange } from '../support/token-exchange.js';

attack('each client is Forbidden, or unknown, outside its role', async ({ world }) => {
  const { stack } = world;
  const { vault, rs } = stack.configs;
  const { task_id, signed } = await world.signedDeletion();
  const as = (id: 'bridge' | 'consent-ui' | 'rs') => new ServiceIdentity(stack, id);
  const forbidden = { layer: 'vault', code: 'Forbidden' };
  for (const id of ['consent-ui', 'rs'] as const) {
    const answer = await exchange(stack, signed, {
      client_assertion: as(id).assertion(vault.issuer),
    });
    expect(answer.body).toMatchObject({ ...forbidden, error: 'unauthorized_client' });
  }
  for (const id of ['bridge', 'rs'] as const) {
    for (const path of [
      'signatures/examine',
      'enrolments/options',
      'enrolments/finish',
      'sign-in/options',
      'sign-in/finish',
      'sign-in/key',
    ]) {
      const headers = as(id).bearer(vault.issuer);
      const answer = await call(`${vault.issuer}/v1/${path}`, {
        method: 'POST',
        headers,
        json: {},
      });
      expect(refusal(answer), `${id} ${path}`).toMatchObject(forbidden);
    }
  }
  const keys = `${vault.issuer}/v1/approvers/${world.caller.subject}/keys`;
  expect(refusal(await call(keys, { headers: as('bridge').bearer(vault.issuer) }))).toMatchObject(
    forbidden,
  );
  for (const id of ['consent-ui', 'rs'] as const) {
    const execution = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
    const headers = as(id).bearer(rs.resource);
    const answer = await call(`${rs.resource}/v1/execute`, {
      method: 'POST',
      headers,
      json: execution,
    });
    expect(refusal(answer)).toEqual({ status: 401, code: 'Unauthenticated', layer: 'rs' });
    const proposed = await call(`${stack.origin}/v1/consents/${signed.payload.cmd}`, {
      headers: as(id).bearer(stack.origin),
    });
    expect(refusal(proposed)).toMatchObject({ code: 'Unauthenticated', layer: 'consent-ui' });
  }
  expect((await exchange(stack, signed)).status).toBe(200);
});
