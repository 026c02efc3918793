/**
 * Claim: The first answer to a consent is its last: no approval after a no, no no after an approval.
 * Enforced by: consent-ui/server/store/consent-store.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'decline and approve in either order, and both at once, leave one answer',
  async ({ world, visitor }) => {
    const fresh = async () => {
      const payload = world.bridge.payload(world.caller, 'delete_task', { task_id: 't-1' });
      const path = new URL(await world.bridge.propose(payload)).pathname;
      const { signature } = world.signDirectly(payload);
      return {
        approve: () => visitor.post(`${path}/approve`, { signature }),
        decline: () => visitor.post(`${path}/decline`, {}),
        status: async () => (await visitor.get(`${path}/status`)).body,
      };
    };
    const decided = { status: 409, code: 'AlreadyDecided', layer: 'consent-ui' };
    const declined = await fresh();
    expect((await declined.decline()).status).toBe(200);
    expect(refusal(await declined.approve())).toEqual(decided);
    expect(await declined.status()).toMatchObject({ status: 'declined' });
    const approved = await fresh();
    expect((await approved.approve()).status).toBe(200);
    expect(refusal(await approved.decline())).toEqual(decided);
    expect((await approved.approve()).status).toBe(200);
    const raced = await fresh();
    const answers = await Promise.all([
      raced.approve(),
      raced.decline(),
      raced.decline(),
      raced.approve(),
    ]);
    const kinds = new Set(
      answers
        .filter(({ status }) => status === 200)
        .map(({ body }) => (body as { status: string }).status),
    );
    expect(kinds.size).toBe(1);
    expect(await raced.status()).toMatchObject({ status: [...kinds][0] });
  },
);
