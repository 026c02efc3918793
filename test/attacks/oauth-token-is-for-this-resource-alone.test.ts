/**
 * Claim: An access token counts only where it names this resource and nobody beside it: one for another hop, or for two, is refused (RFC 9700 section 2.3).
 * Enforced by: src/oauth/access-token.ts
 */
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('the audience is this resource, to the letter', async ({ world }) => {
  const forge = tokenForge(world);
  const { resource } = forge;
  const aud = (value: unknown): string => forge.make({ claims: { aud: value } });
  await expectTokensRefused(world, forge, {
    'another resource': aud('http://127.0.0.1:1/mcp'),
    'its origin': aud(new URL(resource).origin),
    'a path below': aud(`${resource}/admin`),
    'a final slash': aud(`${resource}/`),
    'another case': aud(resource.toUpperCase()),
    'the A2A endpoint': aud(resource.replace('/mcp', '/a2a')),
    'another beside it': aud([resource, 'http://127.0.0.1:1/mcp']),
    nobody: aud([]),
    'a number': aud([resource, 1]),
    absent: aud(undefined),
  });
});
