/**
 * Claim: A credential never chooses how it is verified (RFC 8725).
 * Enforced by: rs/checks/check-credential-shape.ts, rs/checks/check-credential-signature.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('a credential’s own header never chooses how it is verified', async () => {
  const key = mintKeyOf(world.stack);
  const { task_id, signed } = await world.signedDeletion();
  const claims = claimsFor(world.stack, signed);
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const attacker = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const attackerJwk = attacker.privateKey.export({ format: 'jwk' }) as Record<string, string>;
  const publicPem = createPublicKey({ key: key.jwk, format: 'jwk' }).export({
    type: 'spki',
    format: 'pem',
  });
  const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: key.keyId })}.${encode(claims)}`;
  let fetched = 0;
  const server = createServer((_request, response) => {
    fetched += 1;
    response.end(JSON.stringify({ keys: [{ ...attackerJwk, d: undefined, kid: 'evil' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  const byAttacker = (header: Record<string, unknown>): string =>
    mintAnything({ ...key, jwk: attackerJwk }, claims, header);

  const forgeries = {
    'alg none': `${encode({ alg: 'none', typ: 'at+jwt', kid: key.keyId })}.${encode(claims)}.`,
    'HS256 with the public key as secret': `${input}.${createHmac('sha256', publicPem).update(input).digest('base64url')}`,
    'jwk in the header': byAttacker({ jwk: { ...attackerJwk, d: undefined } }),
    'jku in the header': byAttacker({ jku: url, kid: 'evil' }),
    'x5u in the header': byAttacker({ x5u: url }),
    'kid is a path': byAttacker({ kid: '../../../../dev/null' }),
    'kid is empty': byAttacker({ kid: '' }),
    'unknown kid': byAttacker({ kid: 'evil' }),
    'another typ': mintAnything(key, claims, { typ: 'JWT' }),
    'a client assertion as credential': mintAnything(key, claims, {
      typ: 'client-authentication+jwt',
    }),
    'crit is not ignored': mintAnything(key, claims, { crit: ['b64'], b64: false }),
    'another alg of the same key': mintAnything(key, claims, { alg: 'ES384' }),
  };
  const call = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
  for (const [name, credential] of Object.entries(forgeries)) {
    const answer = refusal(await world.bridge.execute({ ...call, credential }));
    expect.soft(['MalformedCredential', 'UnknownIssuer'], name).toContain(answer.code);
    expect.soft(answer.layer, name).toBe('rs');
  }
  expect(fetched).toBe(0);
  expect(world.exists(task_id)).toBe(true);
  expect(
    (await world.bridge.execute({ ...call, credential: mintAnything(key, claims) })).status,
  ).toBe(200);
  server.close();
});
