/**
 * Claim: When a key is revoked, the sessions it opened neither read nor decide any more (OWASP ASVS 7.4.2).
 * Enforced by: consent-ui/server/checks/check-key-active.ts, consent-ui/server/consent-routes.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'a stolen device whose key was revoked reads, approves and declines nothing',
  async ({ world, visitor }) => {
    const { payload, path, signature } = await world.proposedDeletion();
    expect((await visitor.get(path)).status).toBe(200);
    await world.stack.operator('vault', 'revoke-key', '--key-id', world.person.passkey.keyId);
    const out = { status: 401, code: 'Unauthenticated', layer: 'consent-ui' };
    for (const to of ['/', path, `${path}/status`, '/session']) {
      expect.soft(refusal(await visitor.get(to)), to).toEqual(out);
    }
    for (const [to, json] of [
      [`${path}/approve`, { signature }],
      [`${path}/decline`, {}],
    ] as const) {
      expect.soft(refusal(await visitor.post(to, json)), to).toEqual(out);
    }
    expect(refusal(await world.bridge.mint({ payload, signature }))).toMatchObject({
      code: 'UnknownApprover',
      layer: 'vault',
    });
  },
);
