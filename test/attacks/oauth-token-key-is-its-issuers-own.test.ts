/**
 * Claim: A token is checked with the keys of the issuer it names: no other trusted issuer, and no key id of one, speaks for it.
 * Enforced by: src/oauth/access-token.ts, src/oauth/issuer-keys.ts
 */
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('each issuer by its own keys', async ({ world }) => {
  const forge = tokenForge(world);
  const { second, mallory } = forge;
  const theirs = { header: { kid: second.key['kid'] }, key: second.key };
  await expectTokensRefused(world, forge, {
    'the second issuer’s key and key id': forge.make(theirs),
    'the second issuer’s key under the first one’s id': forge.make({ key: second.key }),
    'the first one’s key under the second one’s id': forge.make({
      header: { kid: second.key['kid'] },
    }),
    'the other way round': forge.make({ claims: { iss: second.issuer } }),
    'nobody’s key under a published id': forge.make({ key: mallory }),
    'nobody’s key under no id': forge.make({ key: mallory, header: { kid: undefined } }),
    'an id that is a path': forge.make({ header: { kid: '../../jwks' } }),
    'an id that is no text': forge.make({ header: { kid: 1 } }),
  });
});
