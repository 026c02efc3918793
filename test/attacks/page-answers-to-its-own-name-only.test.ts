/**
 * Claim: A name an attacker points at this machine reaches no page (DNS rebinding).
 * Enforced by: consent-ui/server/checks/check-host.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'another Host header is refused on every page and every change',
  async ({ world, visitor }) => {
    const { link, path, signature } = await world.proposedDeletion();
    for (const host of [
      'evil.example',
      '127.0.0.1',
      'localhost',
      'localhost:1',
      `evil.${new URL(link).host}`,
    ]) {
      for (const to of ['/', '/sign-in', '/enrol', path, '/session', '/assets/style.css']) {
        const answer = await visitor.get(to, { host });
        expect
          .soft(refusal(answer), `${to} as ${host}`)
          .toEqual({ status: 403, code: 'CrossOrigin', layer: 'consent-ui' });
      }
      expect(refusal(await visitor.post(`${path}/approve`, { signature }, { host }))).toMatchObject(
        { code: 'CrossOrigin' },
      );
    }
    expect((await visitor.post(`${path}/approve`, { signature })).status).toBe(200);
  },
);
