/**
 * Claim: A credential is a compact JWS in its one spelling: no padding, no white space, no other alphabet, no encryption (RFC 8725 sections 3.6 and 3.7).
 * Enforced by: rs/checks/check-credential-shape.ts
 */
import { attack } from '../support/attack.js';
import { expectCredentialRefused } from '../support/credential-attack.js';
import { mintAnything } from '../support/taken-over-vault.js';
import type { Forge } from '../support/credential-attack.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const respelt =
  (change: (text: string) => string) =>
  ({ key, claims }: Forge): string =>
    change(mintAnything(key, claims));

attack(
  'the resource server refuses every other spelling of a good credential',
  async ({ world }) => {
    await expectCredentialRefused(world, 'MalformedCredential', {
      padded: respelt((text) => `${text}=`),
      'space before': respelt((text) => ` ${text}`),
      'newline after': respelt((text) => `${text}\n`),
      'plain base64': respelt((text) => text.replace('.', '+.')),
      'unused bits set': respelt(([...text]) => {
        const last = text.pop() ?? '';
        return [...text, ALPHABET.charAt(ALPHABET.indexOf(last) + 1)].join('');
      }),
      'four parts': respelt((text) => `${text}.AA`),
      'five parts, as a JWE': respelt((text) => `${text}.AA.AA`),
      'two parts': respelt((text) => text.split('.').slice(0, 2).join('.')),
      'no parts': respelt(() => '..'),
      'JSON serialization': respelt((text) => JSON.stringify({ payload: text.split('.')[1] })),
    });
  },
);
