/**
 * Claim: Headers a proxy or a client may add (X-Forwarded-*, method overrides) change neither origin, host, address nor method.
 * Enforced by: consent-ui/server/checks/check-host.ts, consent-ui/server/app.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack('forwarding headers change nothing', async ({ world, visitor }) => {
  const { link, path, signature } = await world.proposedDeletion();
  const forwarded = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '203.0.113.1',
    forwarded: 'host=evil.example;proto=https',
    'x-original-url': '/enrol',
  };
  const shown = await visitor.html(path, forwarded);
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain('evil.example');
  const rebound = await visitor.get(path, {
    ...forwarded,
    host: 'evil.example',
    'x-forwarded-host': new URL(link).host,
  });
  expect(refusal(rebound)).toMatchObject({ code: 'CrossOrigin' });
  const overridden = await visitor.get(`${path}/decline`, { 'x-http-method-override': 'POST' });
  expect(refusal(overridden)).toMatchObject({ status: 404, code: 'NotFound' });
  expect((await visitor.get(`${path}?_method=POST`)).status).toBe(200);
  expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
  expect((await visitor.post(`${path}/approve`, { signature }, forwarded)).status).toBe(200);
});
