/**
 * Claim: The link grants nothing: unknown, somebody’s and a stranger’s consent look alike to who is not signed in.
 * Enforced by: consent-ui/server/consent-routes.ts, consent-ui/server/error-handler.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { page } from '../support/page-visitor.js';
attack('without a session every consent is the same sign-in page', async ({ world, visitor }) => {
  const { payload, link, path } = await world.proposedDeletion();
  const { origin } = world.stack;
  const ids = [payload.nonce, 'A'.repeat(43), 'Z'.repeat(16)];
  const seen = await Promise.all(
    ids.flatMap((id) =>
      ['', '/status'].map(async (end) => {
        const html = await page(`${origin}/consents/${id}${end}`, { accept: 'text/html' });
        const json = await page(`${origin}/consents/${id}${end}`, { accept: 'application/json' });
        const location = decodeURIComponent(String(html.headers['location']))
          .replace(id, 'ID')
          .replace(end, '');
        return { status: html.status, location, length: html.text.length, json: json.text };
      }),
    ),
  );
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(seen[0]).toMatchObject({ status: 302, location: '/sign-in?next=/consents/ID' });
  for (const end of ['approve', 'decline']) {
    const refused = await call(`${link}/${end}`, { method: 'POST', json: {}, headers: { origin } });
    expect(refusal(refused)).toMatchObject({ status: 401, code: 'Unauthenticated' });
  }
  expect((await visitor.get(path)).status).toBe(200);
});
