/**
 * Claim: A change the browser itself calls cross-site, same-site or user-typed is refused.
 * Enforced by: consent-ui/server/checks/check-origin.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack('Sec-Fetch-Site other than same-origin changes nothing', async ({ world, visitor }) => {
  const { path, signature } = await world.proposedDeletion();
  for (const site of ['cross-site', 'same-site', 'none', 'evil']) {
    const answer = await visitor.post(`${path}/approve`, { signature }, { 'sec-fetch-site': site });
    expect
      .soft(refusal(answer), site)
      .toEqual({ status: 403, code: 'CrossOrigin', layer: 'consent-ui' });
  }
  expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
  expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
});
