/**
 * Claim: Nobody issues access tokens but the configured authorization servers, compared to the letter (RFC 9068 section 4, RFC 9207 section 2.4).
 * Enforced by: src/oauth/access-token.ts
 */
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('iss is one of the configured, to the letter', async ({ world }) => {
  const forge = tokenForge(world);
  const iss = (value: unknown): string => forge.make({ claims: { iss: value } });
  await expectTokensRefused(world, forge, {
    'a stranger, by its own key': forge.make({
      ...{ claims: { iss: 'https://evil.example' }, key: forge.mallory },
      header: { kid: 'evil' },
    }),
    'a stranger, by a stolen key': iss('https://evil.example'),
    'a final slash': iss(`${forge.issuer}/`),
    'another name of the machine': iss(forge.issuer.replace('127.0.0.1', 'localhost')),
    'a path': iss(`${forge.issuer}/realms/x`),
    'a list': iss([forge.issuer]),
    absent: iss(undefined),
    'this bridge': iss(forge.resource),
  });
});
