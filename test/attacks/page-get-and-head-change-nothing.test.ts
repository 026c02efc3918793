/**
 * Claim: Reading changes nothing: no GET, HEAD or OPTIONS of any address decides, enrols, signs in or out.
 * Enforced by: consent-ui/server/consent-routes.ts, consent-ui/server/approver.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { request } from 'undici';
attack('a prefetched link, an image or a crawler decides nothing', async ({ world, visitor }) => {
  const { path, signature } = await world.proposedDeletion();
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    for (const to of [
      path,
      `${path}/approve`,
      `${path}/decline`,
      `${path}/status`,
      '/sign-out',
      '/sign-in/finish',
      '/enrol/finish',
    ]) {
      const headers = { cookie: visitor.cookie };
      const { statusCode, body } = await request(`${visitor.origin}${to}`, {
        method: method as 'GET',
        headers,
      });
      await body.dump();
      expect(statusCode, `${method} ${to}`).toBeLessThan(500);
    }
  }
  expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
  expect((await visitor.post(`${path}/approve`, { signature })).body).toMatchObject({
    status: 'approved',
  });
});
