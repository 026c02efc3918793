/**
 * Claim: A credential with a claim or header member twice, or in another encoding than UTF-8, is refused (RFC 8725 sections 2.4 and 3.7).
 * Enforced by: rs/checks/check-credential-shape.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { signedParts } from '../support/service-identity.js';
import type { MintKey } from '../support/taken-over-vault.js';

const header = ({ alg, keyId }: MintKey): string =>
  JSON.stringify({ alg, typ: 'at+jwt', kid: keyId });

attack('the resource server reads a credential in exactly one way', async ({ world }) => {
  await expectCredentialRefused(world, 'MalformedCredential', {
    'a claim twice': ({ key, claims }) =>
      signedParts(key.jwk, header(key), JSON.stringify(claims).replace('{', '{"jti":"x",')),
    'the algorithm twice': ({ key, claims }) =>
      signedParts(key.jwk, header(key).replace('{', '{"alg":"none",'), JSON.stringify(claims)),
    'a byte order mark': ({ key, claims }) =>
      signedParts(key.jwk, header(key), `\ufeff${JSON.stringify(claims)}`),
    'UTF-16': ({ key, claims }) =>
      signedParts(key.jwk, header(key), Buffer.from(JSON.stringify(claims), 'utf16le')),
    'not UTF-8': ({ key, claims }) =>
      signedParts(
        key.jwk,
        header(key),
        Buffer.from(JSON.stringify({ ...claims, note: '\u00ff' }), 'latin1'),
      ),
    'a list': ({ key, claims }) => signedParts(key.jwk, header(key), JSON.stringify([claims])),
  });
});
