/**
 * Claim: An access token is good from `nbf` to `exp` and no longer; without an end, or from the future, it is none (RFC 9068 section 4).
 * Enforced by: src/oauth/access-token.ts
 */
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('time is what the token says and our own clock', async ({ world }) => {
  const forge = tokenForge(world);
  const now = Math.floor(Date.now() / 1000);
  const at = (claims: object): string => forge.make({ claims });
  await expectTokensRefused(world, forge, {
    'expired just now': at({ exp: now - 1 }),
    'expired long ago': at({ iat: now - 7200, exp: now - 3600 }),
    'without an end': at({ exp: undefined }),
    'an end in words': at({ exp: String(now + 300) }),
    'from the future': at({ iat: now + 600, exp: now + 900 }),
    'not yet': at({ nbf: now + 600 }),
    'without a beginning': at({ iat: undefined }),
    'without an id': at({ jti: undefined }),
  });
});
