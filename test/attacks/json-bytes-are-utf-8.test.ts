/**
 * Claim: Octets that are not UTF-8 are refused at every service, never read as U+FFFD.
 * Enforced by: src/contract/strict-json.ts, src/mcp/http-app.ts, consent-ui/server/body.ts, vault/http/body.ts, rs/read-body.ts
 */
import { attack } from '../support/attack.js';
import { expectRefusedEverywhere } from '../support/surfaces.js';
import type { Surface } from '../support/surfaces.js';

/** An accepted body with octets of no character inside a string. */
function spoilt({ body }: Surface, hex: string): Buffer {
  const [before = '', after = ''] = body('"t@1"').split('@');
  return Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
}

attack(
  'all four refuse invalid UTF-8, overlong forms and encoded surrogates',
  async ({ world }) => {
    await expectRefusedEverywhere(world, {
      'a stray octet': (surface) => spoilt(surface, 'ff'),
      'cut short': (surface) => spoilt(surface, 'c3'),
      overlong: (surface) => spoilt(surface, 'c0af'),
      'an encoded surrogate': (surface) => spoilt(surface, 'eda080'),
      'UTF-16': ({ body }) => Buffer.from(body('"t-1"'), 'utf16le'),
    });
  },
);
