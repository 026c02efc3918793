/**
 * Claim: A public key is no shared secret: HS256 over any text of it signs nothing (RFC 8725 section 2.1).
 * Enforced by: src/oauth/config.ts, src/oauth/access-token.ts
 */
import { createHmac, createPublicKey } from 'node:crypto';
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';
import { publicJwk } from '../../src/cli/jwk.js';
import { encode } from '../support/service-identity.js';

attack('HS256, keyed with what everybody can read', async ({ world }) => {
  const forge = tokenForge(world);
  const key = createPublicKey({ key: forge.key, format: 'jwk' });
  const jwk = publicJwk(forge.key);
  const secrets: Record<string, string | Buffer> = {
    'the PEM text': key.export({ format: 'pem', type: 'spki' }),
    'the DER octets': key.export({ format: 'der', type: 'spki' }),
    'the JWK text': JSON.stringify(jwk),
    'the x coordinate': Buffer.from(jwk['x'] as string, 'base64url'),
    nothing: '',
  };
  const mac = (alg: string, secret: string | Buffer): string => {
    const input = `${encode(JSON.stringify({ ...forge.header, alg }))}.${encode(JSON.stringify(forge.claims))}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  await expectTokensRefused(world, forge, {
    ...Object.fromEntries(
      Object.entries(secrets).map(([name, secret]) => [name, mac('HS256', secret)]),
    ),
    'under the name of another algorithm': mac('ES256', secrets['the PEM text']!),
    'as RS256': mac('RS256', secrets['the PEM text']!),
  });
});
