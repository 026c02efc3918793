/**
 * Claim: A member no schema knows is refused, never dropped: nothing rides along unread.
 * Enforced by: src/contract/wire.ts, src/contract/payload.ts, vault/checks/check-shape.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { send, surfaces } from '../support/surfaces.js';

attack(
  'consent-ui, vault and rs refuse an unknown member at every level, with its path',
  async ({ world }) => {
    for (const surface of surfaces(world).filter(({ layer }) => layer !== 'bridge')) {
      const body = surface.body('"t-1"');
      expect((await send(surface, body)).status).toBeLessThan(300);
      const outer = await send(surface, body.replace('{', '{"gated":false,'));
      expect(outer).toMatchObject({ status: 400, code: 'MalformedRequest', layer: surface.layer });
      const inner = body
        .replace('"payload":{', '"payload":{"scopes":[],')
        .replace('"caller":{', '"caller":{"admin":true,');
      expect(inner).not.toBe(body);
      const { status, code } = await send(surface, inner);
      expect({
        status,
        known: ['MalformedRequest', 'MalformedPayload'].includes(String(code)),
      }).toEqual({
        status: 400,
        known: true,
      });
    }
  },
);
