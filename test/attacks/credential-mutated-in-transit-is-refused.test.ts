/**
 * Claim: A credential changed anywhere between mint and execution is refused.
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';

let world: AttackWorld;
beforeAll(async () => {
  world = await AttackWorld.open();
});
afterAll(() => world.close());

it('a credential mutated in transit is refused by the resource server, wherever it was mutated', async () => {
  const call = await world.approvedDeletion();
  const other = await world.newTask();
  const [head = '', body = '', signature = ''] = call.credential.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const swapped = encode({
    ...claims,
    authorization_details: [
      { type: 'consent_bridge_action', command: 'delete_task', args: { task_id: other } },
    ],
  });
  const flipped = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  const mutants = [
    `${head}.${swapped}.${signature}`,
    `${head}.${encode({ ...claims, exp: Number(claims['exp']) + 600 })}.${signature}`,
    `${head}.${body}.${flipped(signature)}`,
    `${head}.${body}.`,
    `${head}.${body}`,
    `${call.credential}.x`,
    ` ${call.credential}`,
    `${call.credential}=`,
  ];
  for (const credential of mutants) {
    const answer = refusal(await world.execute({ ...call, credential }));
    expect(['MalformedCredential', 'UnknownIssuer']).toContain(answer.code);
    expect(answer.layer).toBe('rs');
  }
  const toOther = await world.execute({
    ...call,
    args: { task_id: other },
    credential: `${head}.${swapped}.${signature}`,
  });
  expect(refusal(toOther)).toMatchObject({ code: 'UnknownIssuer', layer: 'rs' });
  expect(world.exists(other)).toBe(true);
  expect((await world.execute(call)).status).toBe(200);
});
