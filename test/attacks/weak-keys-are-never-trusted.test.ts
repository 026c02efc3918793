/**
 * Claim: A key that is short, symmetric, private or off its curve is trusted by no operator’s slip (RFC 8725 sections 3.4 and 3.5).
 * Enforced by: vault/public-key.ts, rs/public-key.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { generateKeyPairSync } from 'node:crypto';
import { generateJwk, publicJwk } from '../../src/cli/jwk.js';

attack('vault and resource server refuse weak keys from the operator too', async ({ world }) => {
  const { stack, caller } = world;
  const rsa = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({
    format: 'jwk',
  });
  const off = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) };
  const weak = {
    oct: { kty: 'oct', k: 'AAAA' },
    'RSA 1024': rsa(1024),
    'P-384': p384,
    'off the curve': off,
    private: generateJwk('ES256'),
    nothing: {},
  };
  const trust = (domain: 'vault' | 'rs', jwk: object) =>
    stack.operator(
      domain,
      ...(domain === 'vault' ? ['add-key'] : ['trust']),
      '--approver',
      `weak-${caller.subject}`,
      '--public-jwk',
      JSON.stringify(jwk),
    );
  await Promise.all(
    Object.entries(weak).flatMap(([name, jwk]) =>
      (['vault', 'rs'] as const).map((domain) =>
        expect.soft(trust(domain, jwk), `${name} at ${domain}`).rejects.toThrow(/exit 1/),
      ),
    ),
  );
  const good = publicJwk(generateJwk('EdDSA'));
  await expect(trust('vault', good)).resolves.toContain('eddsa');
  await expect(trust('rs', good)).resolves.toContain('eddsa');
});
