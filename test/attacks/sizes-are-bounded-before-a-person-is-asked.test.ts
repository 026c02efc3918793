/**
 * Claim: An action whose canonical bytes are over 64 KiB is refused at bridge, page and vault alike; one just below can be read and run.
 * Enforced by: src/contract/canonical.ts, src/mcp/call-tool.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { structured } from '../support/mcp-clients.js';

attack('too large is PayloadTooLarge everywhere, and nobody is asked', async ({ world }) => {
  const { stack, caller } = world;
  const large = { task_id: 'x'.repeat(65_536) };
  expect(structured(await world.agent.call('delete_task', large))).toMatchObject({
    code: 'PayloadTooLarge',
    layer: 'dispatcher',
  });
  const payload = world.bridge.payload(caller, 'delete_task', large);
  await expect(world.bridge.propose({ ...payload, binding_message: 'x' })).rejects.toThrow(
    'PayloadTooLarge (consent-ui)',
  );
  const { signature } = (await world.signedDeletion()).signed;
  expect(
    (await world.bridge.mint({ payload: { ...payload, binding_message: 'x' }, signature })).body,
  ).toMatchObject({ code: 'PayloadTooLarge', layer: 'vault' });
  expect(
    (await stack.events('bridge', 'consent.raised')).some(
      (entry) => entry['client_id'] === caller.client_id,
    ),
  ).toBe(false);
  const readable = {
    ...world.bridge.payload(caller, 'delete_task', { task_id: 'x'.repeat(64_000) }),
    binding_message: 'x',
  };
  expect((await world.sign(readable)).payload).toEqual(readable);
});
