/**
 * Claim: An access token without a signature is none: `alg: none` in any spelling (RFC 8725 section 3.1).
 * Enforced by: src/oauth/access-token.ts
 */
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';
import { encode } from '../support/service-identity.js';

attack('none is no algorithm', async ({ world }) => {
  const forge = tokenForge(world);
  const unsigned = (alg: unknown, signature = ''): string =>
    `${encode(JSON.stringify({ ...forge.header, alg }))}.${encode(JSON.stringify(forge.claims))}.${signature}`;
  const [, , signature = ''] = forge.make().split('.');
  await expectTokensRefused(world, forge, {
    none: unsigned('none'),
    None: unsigned('None'),
    'NONE, with something behind': unsigned('NONE', 'AA'),
    'none, over a good signature': unsigned('none', signature),
    'no algorithm': unsigned(undefined, signature),
    'a good header without its signature': unsigned('ES256'),
    zeroes: unsigned('ES256', Buffer.alloc(64).toString('base64url')),
    'two parts': forge.make().split('.').slice(0, 2).join('.'),
  });
});
