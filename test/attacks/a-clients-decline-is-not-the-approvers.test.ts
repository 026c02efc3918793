/**
 * Claim: A client’s own decline ends its call and is never recorded as the person’s answer.
 * Enforced by: src/dispatcher/gate.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import type { RecordEntry } from '../../src/contract/wire.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rawModern } from '../support/raw-modern.js';

attack(
  'declined by the client, the record names the client; the person never answered',
  async ({ world }) => {
    const { stack, caller } = world;
    const raw = rawModern(stack, tokenFor(stack, caller));
    const task_id = await world.newTask();
    const asked = await raw.call('delete_task', { task_id });
    const consent = asked.url.split('/').at(-1) ?? '';
    for (const action of ['decline', 'cancel']) {
      const { requestState } = asked;
      const { result } = await raw.call(
        'delete_task',
        { task_id },
        { requestState, inputResponses: { approval: { action } } },
      );
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { status: 'declined', by: 'client', consent_id: consent },
      });
    }
    const of = (entries: RecordEntry[]) =>
      entries.filter((entry) => entry['consent'] === consent || entry['consent_id'] === consent);
    expect(of(await stack.events('bridge', 'consent.declined-by-client'))).toHaveLength(1);
    expect(of(await stack.events('bridge', 'consent.decided'))).toEqual([]);
    expect(of(await stack.events('consent-ui', 'consent.declined'))).toEqual([]);
    expect(world.exists(task_id)).toBe(true);
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  },
);
