import { decodeJwt, decodeProtectedHeader } from 'jose';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientAssertion } from '../../../consent-ui/server/client-assertion.js';
import { HttpVault } from '../../../consent-ui/server/vault-client.js';
import { Refusal, problemOf } from '../../../src/contract/errors.js';
import { KEY_ID } from './fake-vault.js';
import { SIGNATURE } from './page-under-test.js';

let server: Server;
let vault: HttpVault;
let reply: { status: number; body: string };
let seen: { url: string; authorization: string; body: string }[];
let now = 1_800_000_000_000;

beforeEach(async () => {
  seen = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { url = '', headers } = request;
      seen.push({ url, authorization: headers.authorization ?? '', body });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const assertion = new ClientAssertion({
    clientId: 'consent-ui',
    key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    audience: 'http://vault.test',
    clock: () => now,
    random: randomBytes,
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vault = new HttpVault({ url, origin: 'http://localhost:8421', assertion });
});
afterEach(async () => {
  await vault.close();
  server.closeAllConnections();
  server.close();
});

describe('the vault as the consent page calls it', () => {
  it('is called with a short-lived assertion for it, signed anew only when needed', async () => {
    reply = { status: 200, body: '{"keys":[]}' };
    await vault.keysOf('alïce/../x@example.com');
    await vault.keysOf('bob');
    now += 51_000;
    await vault.keysOf('bob');
    expect(seen[0]?.url).toBe('/v1/approvers/al%C3%AFce%2F..%2Fx%40example.com/keys');
    const [one, two, three] = seen.map(({ authorization }) =>
      authorization.slice('Bearer '.length),
    );
    expect([one === two, two === three]).toEqual([true, false]);
    expect(decodeProtectedHeader(one ?? '')).toMatchObject({
      alg: 'ES256',
      typ: 'client-authentication+jwt',
    });
    const claims = decodeJwt(one ?? '');
    expect(claims).toMatchObject({
      iss: 'consent-ui',
      sub: 'consent-ui',
      aud: 'http://vault.test',
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
  });

  it('asks about a terminal approver’s assertion for this origin', async () => {
    reply = { status: 200, body: JSON.stringify({ approver_id: 'alice', key_id: KEY_ID }) };
    await vault.signInWithKey('a.b.c');
    expect(seen[0]).toMatchObject({
      url: '/v1/sign-in/key',
      body: '{"assertion":"a.b.c","aud":"http://localhost:8421"}',
    });
  });

  it('is quoted when it refuses', async () => {
    const refusal = new Refusal('SignatureMismatch', 'vault', { path: 'signature' });
    reply = { status: 403, body: JSON.stringify(problemOf(refusal)) };
    await expect(vault.examine(signed())).rejects.toMatchObject({
      code: 'SignatureMismatch',
      layer: 'vault',
      path: 'signature',
    });
  });

  it.each(['Unauthenticated', 'Forbidden'] as const)(
    'saying %s to this service is our failure, not the person’s',
    async (code) => {
      reply = { status: 401, body: JSON.stringify(problemOf(new Refusal(code, 'vault'))) };
      await expect(vault.signInOptions()).rejects.toMatchObject({
        code: 'Internal',
        layer: 'consent-ui',
      });
    },
  );

  it.each([
    [200, 'not json'],
    [200, '{"unexpected":true}'],
    [502, '<html>'],
    [500, '{"code":"NoSuchCode"}'],
  ])('answering %i %s counts as unavailable', async (status, body) => {
    reply = { status, body };
    await expect(vault.signInOptions()).rejects.toMatchObject({
      code: 'Unavailable',
      layer: 'consent-ui',
    });
  });

  it('not answering counts as unavailable', async () => {
    server.close();
    server.closeAllConnections();
    await expect(vault.signInOptions()).rejects.toMatchObject({ code: 'Unavailable' });
  });
});

function signed() {
  return {
    payload: {
      cmd: 'x',
      args: {},
      rar_type: 'x',
      exp: 1,
      approver_id: 'alice',
      binding_message: '',
    },
    signature: SIGNATURE,
  };
}
