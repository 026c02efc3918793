/**
 * Claim: Bidi, zero-width, control and look-alike characters are visible marks in page, terminal and notification alike, and nothing is left out.
 * Enforced by: src/contract/display.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { displayText } from '../../src/contract/display.js';
import { elicitationOf } from '../support/mcp-clients.js';

attack('one renderer, one text, the signed bytes unchanged', async ({ world }) => {
  const evil = 'pay\u202e001\u202c \u200bal\u0456ce\u0007\n' + 'x'.repeat(25_000) + '\u2066END';
  const payload = {
    ...world.bridge.payload(world.caller, 'delete_task', { task_id: evil }),
    binding_message: evil,
  };
  const shown = displayText(evil);
  for (const mark of ['U+202E', 'U+202C', 'U+200B', 'U+0456', 'U+0007', 'U+000A', 'U+2066'])
    expect(shown).toContain(`⟨${mark}⟩`);
  expect(shown).toContain('END');
  expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\u0007\n]/);
  const signed = await world.sign(payload);
  expect(signed.payload).toEqual(payload);
  const asked = elicitationOf(await world.agent.call('delete_task', { task_id: 'a\u202eb\u200b' }));
  expect(asked.message).toContain('a⟨U+202E⟩b⟨U+200B⟩');
  expect((await world.bridge.mint(signed)).status).toBe(200);
});
