/**
 * Claim: After sign-out the token is worth nothing, kept or not (OWASP ASVS 7.4.1).
 * Enforced by: consent-ui/server/sessions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { PageVisitor } from '../support/page-visitor.js';
attack('a kept cookie reads and decides nothing after sign-out', async ({ world, visitor }) => {
  const { path, signature } = await world.proposedDeletion();
  const own = await PageVisitor.signedIn(world.stack, world.person.passkey);
  expect((await own.get('/')).status).toBe(200);
  expect((await own.post('/sign-out', {})).status).toBe(200);
  const gone = { status: 401, code: 'Unauthenticated', layer: 'consent-ui' };
  expect(refusal(await own.get('/'))).toEqual(gone);
  expect(refusal(await own.post(`${path}/approve`, { signature }))).toEqual(gone);
  expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
});
