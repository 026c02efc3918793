/** One false client assertion before each service that takes them. */
import { expect } from 'vitest';
import { type Answer, call } from '../../src/cli/http.js';
import type { AttackWorld } from './attack-world.js';
import { ServiceIdentity } from './service-identity.js';
import { exchange } from './token-exchange.js';

/** A service, and a client of it with a call that client may make. */
export interface Callee {
  readonly layer: 'vault' | 'rs' | 'consent-ui';
  readonly aud: string;
  readonly client: ServiceIdentity;
  present(assertion: string): Promise<Answer>;
}

export async function callees(world: AttackWorld): Promise<readonly Callee[]> {
  const { stack, caller } = world;
  const { vault, rs } = stack.configs;
  const bridge = new ServiceIdentity(stack, 'bridge');
  const payload = world.bridge.payload(caller, 'delete_task', { task_id: 't-1' });
  await world.bridge.propose(payload);
  const getting = (url: string) => (assertion: string) =>
    call(url, { headers: { authorization: `Bearer ${assertion}` } });
  const tokenEndpoint = (client_assertion: string) =>
    exchange(stack, world.signDirectly(world.bridge.payload(caller, 'delete_task', {})), {
      client_assertion,
    });
  const keys = `${vault.issuer}/v1/approvers/${encodeURIComponent(caller.subject)}/keys`;
  const page = new ServiceIdentity(stack, 'consent-ui');
  return [
    { layer: 'vault', aud: vault.issuer, client: page, present: getting(keys) },
    { layer: 'vault', aud: vault.issuer, client: bridge, present: tokenEndpoint },
    {
      layer: 'rs',
      aud: rs.resource,
      client: bridge,
      present: getting(`${rs.resource}/v1/surface`),
    },
    {
      layer: 'consent-ui',
      aud: stack.origin,
      client: bridge,
      present: getting(`${stack.origin}/v1/consents/${payload.nonce}`),
    },
  ];
}

/** Every service takes the honest assertion, and answers Unauthenticated to each of `forgeries`. */
export async function expectUnauthenticated(
  world: AttackWorld,
  forgeries: Readonly<Record<string, (callee: Callee) => string>>,
): Promise<void> {
  for (const callee of await callees(world)) {
    const { client, aud, layer } = callee;
    expect((await callee.present(client.assertion(aud))).status, layer).toBe(200);
    for (const [name, forge] of Object.entries(forgeries)) {
      const { status, body } = await callee.present(forge(callee));
      expect
        .soft({ status, body }, `${name} at ${layer}`)
        .toMatchObject({ status: 401, body: { code: 'Unauthenticated', layer } });
    }
  }
}
