/**
 * Claim: A credential signed by any other key, or by zeroes, is nobody’s (RFC 8725 section 3.3).
 * Enforced by: rs/checks/check-credential-signature.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { generateJwk } from '../../src/cli/jwk.js';
import { encode } from '../support/service-identity.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const resigned =
  (change: (made: Buffer) => Uint8Array) =>
  ({ key, claims }: Forge): string => {
    const [head = '', body = '', made = ''] = mintAnything(key, claims).split('.');
    return `${head}.${body}.${encode(change(Buffer.from(made, 'base64url')))}`;
  };

attack('the resource server verifies with the published key', async ({ world }) => {
  await expectCredentialRefused(world, 'UnknownIssuer', {
    'another key': ({ key, claims }) =>
      mintAnything({ ...key, jwk: generateJwk('ES256') as unknown as typeof key.jwk }, claims),
    zeroes: resigned(() => Buffer.alloc(64)),
    'r zero': resigned((made) => Buffer.concat([Buffer.alloc(32), made.subarray(32)])),
    's zero': resigned((made) => Buffer.concat([made.subarray(0, 32), Buffer.alloc(32)])),
    'DER in place of r||s': resigned(() => Buffer.from('3006020101020101', 'hex')),
    'cut short': resigned((made) => made.subarray(0, 63)),
    'an octet more': resigned((made) => Buffer.concat([made, Buffer.of(0)])),
    'bits turned': resigned((made) => made.map((octet) => octet ^ 1)),
  });
});
