/**
 * Claim: Another signed-in approver gets 403 and no word of the action, and can answer nothing.
 * Enforced by: consent-ui/server/checks/check-own-consent.ts
 */
import { expect } from 'vitest';
import { AttackWorld, refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { PageVisitor } from '../support/page-visitor.js';
attack(
  'a stranger with a session reads, approves and declines nothing',
  async ({ world, visitor }) => {
    const { path, signature } = await world.proposedDeletion();
    const mallory = await AttackWorld.on(world.stack);
    const stranger = await PageVisitor.signedIn(world.stack, mallory.person.passkey);
    const no = { status: 403, code: 'Forbidden', layer: 'consent-ui' };
    for (const to of [path, `${path}/status`]) {
      const answer = await stranger.get(to);
      expect(refusal(answer)).toEqual(no);
      expect(JSON.stringify(answer.body)).not.toMatch(/delete_task|t-\d/);
      const shown = await stranger.html(to);
      expect(shown.status).toBe(403);
      expect(shown.text).not.toMatch(/delete_task|t-\d/);
    }
    const own = mallory.person.passkey.sign(Buffer.from('x'));
    expect(refusal(await stranger.post(`${path}/approve`, { signature: own }))).toEqual(no);
    expect(refusal(await stranger.post(`${path}/approve`, { signature }))).toEqual(no);
    expect(refusal(await stranger.post(`${path}/decline`, {}))).toEqual(no);
    expect((await stranger.get('/')).body).toMatchObject({ pending: [], recent: [] });
    expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
    await mallory.close();
  },
);
