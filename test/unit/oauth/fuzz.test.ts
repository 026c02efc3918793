import fc from 'fast-check';
import type { JWK } from 'jose';
import { expect, it } from 'vitest';
import { generateJwk, publicJwk, signJwt } from '../../../src/cli/jwk.js';
import { Refusal } from '../../../src/contract/errors.js';
import type { JsonObject } from '../../../src/contract/json.js';
import { AccessTokens } from '../../../src/oauth/access-token.js';
import { IssuerKeys } from '../../../src/oauth/issuer-keys.js';

const NOW = 1_800_000_000;
const RESOURCE = 'https://bridge.example/mcp';
const key = generateJwk('ES256');
const clock = (): number => NOW * 1000;
const keys = new IssuerKeys(() => Promise.resolve({ keys: [publicJwk(key) as JWK] }), clock);
const tokens = new AccessTokens(
  RESOURCE,
  [{ config: { issuer: 'https://as.example' }, keys }],
  clock,
);
const CLAIMS: JsonObject = {
  ...{ iss: 'https://as.example', sub: 'alice', client_id: 'agent', aud: RESOURCE, jti: 'j' },
  ...{ iat: NOW, exp: NOW + 300, scope: 'a' },
};
const honest = signJwt(key, { typ: 'at+jwt' }, CLAIMS);

/** `taken`, or the code of the typed refusal; anything else thrown is the test's failure. */
async function verdict(token: string): Promise<string> {
  try {
    await tokens.verify(token);
    return 'taken';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

it('no token but the honest one, to the letter, is taken', async () => {
  expect(await verdict(honest)).toBe('taken');
  const place = fc.integer({ min: 0, max: honest.length - 1 });
  const changed = fc
    .tuple(place, fc.constantFrom('A', 'Q', 'g', 'w', 'Z', '_', '-', '.', '=', '~', ''))
    .map(([at, put]) => ({
      token: honest.slice(0, at) + put + honest.slice(at + 1),
    }));
  await fc.assert(
    fc.asyncProperty(changed, async ({ token }) => {
      expect(await verdict(token)).toBe(token === honest ? 'taken' : 'Unauthenticated');
    }),
    { numRuns: 500 },
  );
});

it('claims and headers of any type are refused by type, never by a crash', async () => {
  const claim = fc.constantFrom(...Object.keys(CLAIMS));
  await fc.assert(
    fc.asyncProperty(claim, fc.jsonValue(), async (name, value) => {
      const token = signJwt(key, { typ: 'at+jwt' }, { ...CLAIMS, [name]: value } as JsonObject);
      expect(['taken', 'Unauthenticated']).toContain(await verdict(token));
    }),
    { numRuns: 200 },
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('alg', 'typ', 'kid', 'crit'), fc.jsonValue(), async (n, v) => {
      const token = signJwt(key, { typ: 'at+jwt', [n]: v }, CLAIMS);
      expect(['taken', 'Unauthenticated']).toContain(await verdict(token));
    }),
    { numRuns: 200 },
  );
});
