/**
 * Claim: A change without the session’s own CSRF token is refused, though origin and cookie are right.
 * Enforced by: consent-ui/server/checks/check-csrf.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { PageVisitor } from '../support/page-visitor.js';
attack(
  'no token, another session’s, or a near miss changes nothing',
  async ({ world, visitor }) => {
    const { path, signature } = await world.proposedDeletion();
    const other = await PageVisitor.signedIn(world.stack, world.person.passkey);
    expect(other.csrf).not.toBe(visitor.csrf);
    for (const token of [
      '',
      'x',
      other.csrf,
      visitor.csrf.toLowerCase(),
      `${visitor.csrf}x`,
      visitor.cookie.split('=')[1] ?? '',
    ]) {
      for (const [to, json] of [
        [`${path}/approve`, { signature }],
        [`${path}/decline`, {}],
        ['/sign-out', {}],
      ] as const) {
        const answer = await visitor.post(to, json, { 'x-csrf-token': token });
        expect
          .soft(refusal(answer), `${to} ${token}`)
          .toEqual({ status: 403, code: 'CrossOrigin', layer: 'consent-ui' });
      }
    }
    expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
    expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
  },
);
