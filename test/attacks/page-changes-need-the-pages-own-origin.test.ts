/**
 * Claim: A change asked for from any other origin is refused: another site, a sibling, null, none at all (OWASP ASVS 3.5).
 * Enforced by: consent-ui/server/checks/check-origin.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'another site’s request approves, declines and signs out nothing',
  async ({ world, visitor }) => {
    const { path, signature } = await world.proposedDeletion();
    const { origin } = world.stack;
    for (const foreign of [
      'https://evil.example',
      'null',
      '',
      origin.replace('http:', 'https:'),
      `${origin}.evil.example`,
      'http://localhost:1',
      origin.replace('localhost', '127.0.0.1'),
    ]) {
      for (const [to, json] of [
        [`${path}/approve`, { signature }],
        [`${path}/decline`, {}],
        ['/sign-out', {}],
      ] as const) {
        const answer = await visitor.post(to, json, { origin: foreign });
        expect
          .soft(refusal(answer), `${to} from ${foreign}`)
          .toEqual({ status: 403, code: 'CrossOrigin', layer: 'consent-ui' });
      }
    }
    expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
    expect((await visitor.post(`${path}/approve`, { signature })).body).toMatchObject({
      status: 'approved',
    });
  },
);
