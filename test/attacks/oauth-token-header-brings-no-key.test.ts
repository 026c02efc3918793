/**
 * Claim: A header that brings a key, says where one is, or changes the rules refuses the token; nothing is fetched for it (RFC 8725 sections 3.9 and 3.10).
 * Enforced by: src/oauth/access-token.ts
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { publicJwk } from '../../src/cli/jwk.js';
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('jku, jwk, x5u, x5c, crit', async ({ world }) => {
  const forge = tokenForge(world);
  const { mallory } = forge;
  const own = publicJwk(mallory);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(JSON.stringify({ keys: [own] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  const byMallory = (header: object): string =>
    forge.make({ key: mallory, header: { kid: own['kid'], ...header } });
  await expectTokensRefused(world, forge, {
    'a key at an address': byMallory({ jku: url }),
    'a key in the header': byMallory({ jwk: own }),
    'a certificate at an address': byMallory({ x5u: url }),
    'a certificate in the header': byMallory({ x5c: ['MIIB'] }),
    'an honest token with an address': forge.make({ header: { jku: url } }),
    'an honest token with its own key': forge.make({ header: { jwk: publicJwk(forge.key) } }),
    'a rule nobody knows': forge.make({ header: { crit: ['exp'] } }),
    'octets as they are': forge.make({ header: { b64: false, crit: ['b64'] } }),
  });
  expect(asked).toEqual([]);
  server.close();
});
