/**
 * Claim: A session begun at the provider is new, reads only its approver’s consents, and approves nothing without the passkey’s signature.
 * Enforced by: consent-ui/server/oidc-routes.ts, consent-ui/server/consents.ts, consent-ui/server/sessions.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { sessionOf, signedIn } from '../support/oidc-visitor.js';

attack('the provider opens the inbox and signs nothing', async ({ world }) => {
  const { stack, caller } = world;
  const { path, signature, payload } = await world.proposedDeletion();
  const done = await signedIn(stack, caller.subject, '/', 'session=planted-before-the-sign-in');
  const cookie = sessionOf(done);
  expect(cookie).toMatch(/^session=[\w-]{43}$/);
  const get = (where: string, as = cookie) =>
    call(`${stack.origin}${where}`, { headers: { cookie: as } });
  expect(refusal(await get(path, 'session=planted-before-the-sign-in')).status).toBe(401);
  expect((await get(path)).status).toBe(200);

  const page = await fetch(`${stack.origin}/`, { headers: { cookie, accept: 'text/html' } });
  const csrf = /csrf[^>]*content="([\w-]+)"/.exec(await page.text())?.[1] ?? '';
  const approve = (json: object) =>
    call(`${stack.origin}${path}/approve`, {
      method: 'POST',
      headers: { cookie, origin: stack.origin, 'x-csrf-token': csrf },
      json,
    });
  expect((await approve({})).status).toBe(400);
  const mallorys = world.bridge.payload(caller, 'delete_task', { task_id: 't-0' });
  const other = world.signDirectly({ ...mallorys, nonce: payload.nonce }).signature;
  expect(refusal(await approve({ signature: other }))).toMatchObject({
    code: 'SignatureMismatch',
    layer: 'vault',
  });
  expect((await approve({ signature })).status).toBe(200);
});

attack('another’s consents stay another’s', async ({ world }) => {
  const { stack, caller } = world;
  const { path } = await world.proposedDeletion();
  const mine = sessionOf(await signedIn(stack, caller.subject));
  const honest = await call(`${stack.origin}${path}`, { headers: { cookie: mine } });
  expect(honest.status).toBe(200);
  for (const stranger of ['nobody-here@example.com', `unverified-${caller.subject}`]) {
    const refused = await signedIn(stack, stranger);
    expect.soft(sessionOf(refused), stranger).toBe('');
    expect.soft(refusal(refused), stranger).toMatchObject({ layer: 'consent-ui' });
    expect.soft(refused.status, stranger).toBeGreaterThanOrEqual(400);
  }
});
