/**
 * Tokens of any kind wherever one is read: the credential and the client assertion at the resource server, the client
 * assertion, the approver's assertion and the credential at the vault. Each is refused with a known code, whatever it is,
 * unless it is the honest one; one that its issuer did sign but that says something else runs nothing else.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRefusalCode, Refusal } from '../../../src/contract/errors.js';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';
import type { ExecuteRequest } from '../../../src/contract/wire.js';
import { ClientAuthentication } from '../../../rs/client-authentication.js';
import { execute } from '../../../rs/execute.js';
import { loadPublicKey } from '../../../rs/public-key.js';
import type { ResourceServer } from '../../../rs/resource-server.js';
import { Fixture, RESOURCE } from '../rs/fixture.js';
import { jws } from '../rs/keys.js';
import { form2 } from '../vault/support/signers.js';
import { assertion, dataDirectory, openTestVault, ORIGIN } from '../vault/support/test-vault.js';
import { replaced } from './hostile-bodies.js';
import { useMemoryDisk } from './mounted-surfaces.js';
import { cases, TIME } from './runs.js';
import { NOBODY } from '../../../rs/upstream/connection-peer.js';

useMemoryDisk();

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const HEADERS = [
  ...['{}', '[]', 'null', '{"alg":"none","typ":"at+jwt","kid":"x"}', '{"alg":"ES256"', '\u0000'],
  ...[
    '{"alg":"ES256","alg":"none","typ":"at+jwt","kid":"x"}',
    '{"alg":["ES256"],"typ":{},"kid":1}',
  ],
  ...['{"alg":"HS256","typ":"at+jwt","kid":"x"}', '{"alg":"ES256","typ":"at+jwt","kid":"../x"}'],
];

/** A change to the text of a token. */
const bend: fc.Arbitrary<(token: string) => string> = fc.oneof(
  fc
    .tuple(
      fc.nat(),
      fc.nat(2),
      fc.string({ unit: fc.constantFrom(...Array.from(ALPHABET), '.', '=', ' '), maxLength: 3 }),
    )
    .map(([where, remove, insert]) => (token: string) => {
      const at = where % (token.length + 1);
      return token.slice(0, at) + insert + token.slice(at + remove);
    }),
  fc.tuple(fc.nat(2), fc.constantFrom(...HEADERS)).map(([part, text]) => (token: string) => {
    const parts = token.split('.');
    parts[part] = Buffer.from(text).toString('base64url');
    return parts.join('.');
  }),
  fc
    .shuffledSubarray([0, 1, 2, 0, 1, 2], { minLength: 0 })
    .map((order) => (token: string) => order.map((i) => token.split('.')[i]!).join('.')),
  fc.tuple(fc.nat(2), fc.uint8Array({ maxLength: 80 })).map(([part, octets]) => (token: string) => {
    const parts = token.split('.');
    parts[part] = Buffer.from(octets).toString('base64url');
    return parts.join('.');
  }),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => () => text),
);

/** The code of the refusal; `taken` if there was none. Anything else thrown is a crash. */
async function verdict(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'taken';
  } catch (error) {
    if (error instanceof Refusal && isRefusalCode(error.code) && error.code !== 'Internal')
      return error.code;
    throw error;
  }
}

const SENDER = { service: 'bridge', peer: NOBODY };

const rsUnderTest = async () => {
  const fixture = await new Fixture().start();
  const started: unknown[] = [];
  const honest = fixture.request() as ExecuteRequest;
  const alice = loadPublicKey(fixture.alice.jwk);
  const issuerKey = loadPublicKey(fixture.vault.key.jwk);
  const config = fixture.config() as {
    commands: Record<string, { scopes: string[]; mode: string }>;
  };
  const server = {
    resource: RESOURCE,
    issuer: {
      identifier: 'http://127.0.0.1:8422',
      algorithms: ['ES256', 'EdDSA'],
      keys: {
        find: (kid: string) => Promise.resolve(kid === issuerKey.keyId ? issuerKey : undefined),
      },
    },
    rarTypes: ['consent_bridge_action'],
    ceremony: { rpId: 'localhost', origins: [ORIGIN] },
    commands: new Map(Object.entries(config.commands)),
    policy: { default: ['subject'], commands: new Map() },
    approvers: {
      find: (approver: string, keyId: string) =>
        Promise.resolve(
          approver === 'alice' && keyId === alice.keyId
            ? { ...alice, scheme: 'es256', credentialId: undefined }
            : undefined,
        ),
    },
    executions: {
      start: (consumption: unknown) => {
        started.push(consumption);
        return Promise.resolve();
      },
      finish: () => Promise.resolve(),
      abandon: () => Promise.resolve(),
    },
    actions: {
      has: () => Promise.resolve(true),
      isChanged: () => false,
      ready: () => Promise.resolve(),
      checkInput: () => undefined,
      run: () => Promise.resolve({ status: 'success', result: {} }),
    },
    clock: fixture.clock,
  };
  return { fixture, honest, server: server as unknown as ResourceServer, started };
};

test('bent credentials at the resource server', TIME, async () => {
  const { fixture, honest, server, started } = await rsUnderTest();
  expect(await verdict(() => execute(honest, SENDER, server))).toBe('taken');
  started.length = 0;
  await fc.assert(
    fc.asyncProperty(bend, async (change) => {
      const credential = change(honest.credential!);
      const said = await verdict(() => execute({ ...honest, credential }, SENDER, server));
      if ((said === 'taken') !== (credential === honest.credential))
        expect.fail(`${said} ${credential}`);
    }),
    cases(2),
  );
  await fixture.close();
});

test('credentials the issuer signed that say something else', TIME, async () => {
  const { fixture, honest, server, started } = await rsUnderTest();
  const [, body = ''] = honest.credential!.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as JsonObject;
  const header = { alg: 'ES256', typ: 'at+jwt', kid: fixture.vault.key.keyId };
  const first = { ...honest };
  expect(await verdict(() => execute(first, SENDER, server))).toBe('taken');
  const bound = (started.pop() as { hash: string; exp: number; command: string }).hash;
  const value = fc.oneof(
    fc.constantFrom<JsonValue>(null, true, 0, -1, 1.5, 2 ** 53 - 1, '', 'a', [], {}, [null], [[]]),
    fc.json({ maxDepth: 1 }).map((text) => JSON.parse(text) as JsonValue),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(60), value, async (at, put) => {
      const bent = replaced(claims, at, put);
      const credential = jws(fixture.vault.key, header, bent);
      started.length = 0;
      const said = await verdict(() => execute({ ...honest, credential }, SENDER, server));
      if (said !== 'taken') return;
      expect(started).toMatchObject([{ hash: bound, exp: claims['exp'], command: 'delete_task' }]);
    }),
    cases(10),
  );
  await fixture.close();
});

test('client assertions at the resource server', TIME, async () => {
  const fixture = new Fixture();
  const client = { clientId: 'bridge', key: loadPublicKey(fixture.bridge.jwk), roles: ['execute'] };
  const clients = new ClientAuthentication([client], RESOURCE, fixture.clock);
  const honest = fixture.serviceAssertion();
  const read = (token: string) => verdict(() => clients.authenticate(`Bearer ${token}`, 'execute'));
  expect(await read(honest)).toBe('taken');
  await fc.assert(
    fc.asyncProperty(bend, async (change) => {
      const token = change(honest);
      const said = await read(token);
      if (said !== (token === honest ? 'taken' : 'Unauthenticated'))
        expect.fail(`${said} ${token}`);
    }),
    cases(4),
  );
});

test('client assertions, approver assertions and credentials at the vault', TIME, async () => {
  const vault = openTestVault(dataDirectory());
  const { clients, keySignIn } = vault.service;
  const approver = await vault.enrolRaw('es256');
  const now = Math.floor(vault.time.ms / 1000);
  const signedIn = approver.jwt(
    { typ: 'approver-authentication+jwt' },
    { sub: 'alice@example.com', aud: ORIGIN, iat: now, exp: now + 60, jti: 'x' },
  );
  const payload = form2();
  const { credential } = await vault.as().mint(approver.sign(payload));
  const readers = [
    { honest: assertion('bridge'), read: (token: string) => clients.authenticate(token) },
    { honest: signedIn, read: (token: string) => keySignIn.finish(token, ORIGIN) },
    {
      honest: credential,
      read: (token: string) => vault.as().consume(token, payload.cmd, payload.args),
    },
  ] as const;
  for (const { honest, read } of readers) expect(await verdict(() => read(honest))).toBe('taken');
  await fc.assert(
    fc.asyncProperty(fc.nat(2), bend, async (i, change) => {
      const { honest, read } = readers[i]!;
      const token = change(honest);
      const said = await verdict(() => read(token));
      if (said === 'taken' && token !== honest) expect.fail(`${i} took ${token}`);
    }),
    cases(2),
  );
});
