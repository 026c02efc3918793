/**
 * Claim: A signed payload with a member more, less or of another type is not minted, and no unknown form is read as a known one.
 * Enforced by: vault/checks/check-shape.ts, vault/checks/check-known-form.ts, src/contract/payload-members.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';

attack('what a person signs is exactly what verifiers read', async ({ world }) => {
  const { signed } = await world.signedDeletion();
  const { payload, signature } = signed;
  const noForm = Object.fromEntries(Object.entries(payload).filter(([name]) => name !== 'v'));
  const cases: readonly [string, unknown, string][] = [
    ['a member more', { ...payload, note: 'x' }, 'MalformedPayload'],
    ['no nonce', { ...payload, nonce: undefined }, 'MalformedPayload'],
    ['form 2 without its number', noForm, 'MalformedPayload'],
    ['form 3', { ...payload, v: 3 }, 'PayloadDriftAtMint'],
    ['form 2 as text', { ...payload, v: '2' }, 'PayloadDriftAtMint'],
    ['args as a list', { ...payload, args: [] }, 'MalformedPayload'],
    ['exp as text', { ...payload, exp: String(payload.exp) }, 'MalformedPayload'],
    ['an empty command', { ...payload, cmd: '' }, 'MalformedPayload'],
    ['an unknown type', { ...payload, rar_type: 'payment' }, 'PayloadDriftAtMint'],
  ];
  for (const [name, changed, code] of cases) {
    const { body } = await world.bridge.mint({ payload: changed as typeof payload, signature });
    expect.soft(body, name).toMatchObject({ code, layer: 'vault' });
  }
  expect((await world.bridge.mint(signed)).status).toBe(200);
});
