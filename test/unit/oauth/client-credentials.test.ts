/** Against a real authorization server: what is asked of it, and how often. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';
import { ClientCredentials } from '../../../src/oauth/client-credentials.js';
import { IssuerHttp } from '../../../src/oauth/issuer-http.js';
import { AuthorizationServer } from '../../support/authorization-server.js';

const privateJwk = generateJwk('ES256');
const http = new IssuerHttp();
let issuer: AuthorizationServer;
let now: number;
let before: number;

beforeAll(async () => {
  issuer = await AuthorizationServer.start([
    {
      ...{ client_id: 'agent-a', grant_types: ['client_credentials'], scope: 'tasks.read' },
      ...{ response_types: [], redirect_uris: [], id_token_signed_response_alg: 'ES256' },
      ...{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicJwk(privateJwk)] } },
      token_endpoint_auth_signing_alg: 'ES256',
    },
  ]);
});
afterAll(() => Promise.all([issuer.stop(), http.close()]));
beforeEach(async () => {
  now = Date.now();
  before = await asked();
});

const asked = async (): Promise<number> =>
  (await issuer.requests()).filter((line) => line === 'POST /token').length;

const credentials = (jwk: object = privateJwk): ClientCredentials =>
  new ClientCredentials({
    ...{ issuer: issuer.issuer, clientId: 'agent-a', privateJwk: jwk },
    ...{ resource: 'http://127.0.0.1:1/mcp', scopes: ['tasks.read'], http, clock: () => now },
  });

it('one token serves all, until shortly before its end', async () => {
  const own = credentials();
  const [first, ...others] = await Promise.all([own.token(), own.token(), own.token()]);
  expect(new Set([first, ...others]).size).toBe(1);
  now += 279_000;
  expect(await own.token()).toBe(first);
  expect(await asked()).toBe(before + 1);
  now += 2_000;
  expect(await own.token()).not.toBe(first);
  expect(await asked()).toBe(before + 2);
});

it('a token that was not taken is replaced once, however many were turned away', async () => {
  const own = credentials();
  const stale = await own.token();
  const others = await Promise.all([own.renewed(stale), own.renewed(stale)]);
  expect(new Set(others).size).toBe(1);
  expect(await own.renewed(stale)).toBe(others[0]);
  expect(others[0]).not.toBe(stale);
  expect(await asked()).toBe(before + 2);
});

it('without the client’s key there is none', async () => {
  await expect(credentials(generateJwk('ES256')).token()).rejects.toMatchObject({
    ...{ code: 'Unavailable', layer: 'bridge' },
  });
});
