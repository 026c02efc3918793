/**
 * Claim: Texts that look alike (composed and decomposed, Latin and Cyrillic, with and without a zero-width) are never taken for one another.
 * Enforced by: src/contract/canonical.ts, rs/checks/check-args-bound.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { displayText } from '../../src/contract/display.js';

attack(
  'an approval for one spelling runs no other, and the page tells them apart',
  async ({ world }) => {
    const pairs = [
      ['caf\u00e9', 'cafe\u0301'],
      ['alice', '\u0430lice'],
      ['ab', 'a\u200bb'],
      ['A', '\uff21'],
      ['a', 'a '],
    ] as const;
    for (const [one, other] of pairs) {
      const payload = world.bridge.payload(world.caller, 'delete_task', { task_id: one });
      const signed = world.signDirectly(payload);
      const credential = await world.bridge.credential(signed);
      const call = {
        command: 'delete_task',
        args: { task_id: one },
        caller: world.caller,
        signed,
        credential,
      };
      expect(
        refusal(await world.bridge.execute({ ...call, args: { task_id: other } })),
      ).toMatchObject({ code: 'CredentialDrift' });
      expect(displayText(one)).not.toBe(displayText(other));
      expect((await world.bridge.execute(call)).body).toMatchObject({
        status: 'failure',
        error: { code: 'NoSuchTask' },
      });
    }
  },
);
