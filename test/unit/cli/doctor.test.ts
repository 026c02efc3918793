import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { Domain } from '../../../src/cli/data-directory.js';
import { domainDir } from '../../../src/cli/data-directory.js';
import { checkNode } from '../../../src/cli/doctor/checks/check-node.js';
import { doctor, examine } from '../../../src/cli/doctor/doctor.js';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';
import { freePorts } from '../../../src/cli/ports.js';
import { portsOf, provision } from '../../../src/cli/provision.js';
import { temporaryDirectory } from './temporary-directory.js';

async function healthy(): Promise<string> {
  const data = join(temporaryDirectory(), 'data');
  provision(data, await freePorts());
  return data;
}

async function problems(data: string): Promise<string[]> {
  const findings = await examine(data);
  for (const { state, fix } of findings) expect(fix === undefined).toBe(state === 'ok');
  return findings.filter(({ state }) => state === 'wrong').map(({ what }) => what);
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the test writes what no schema allows
function edit(data: string, domain: Domain, change: (config: any) => void): void {
  const file = join(domainDir(data, domain), 'config.json');
  const config: unknown = JSON.parse(readFileSync(file, 'utf8'));
  change(config);
  writeFileSync(file, JSON.stringify(config));
}

test('nothing is wrong with a fresh data directory', async () => {
  expect(await problems(await healthy())).toEqual([]);
});

const STRANGER = 'http://127.0.0.1:1';

test.each<[string, (data: string) => void, RegExp]>([
  [
    'the bridge names another issuer',
    (d) => edit(d, 'bridge', (c) => (c.vault.issuer = STRANGER)),
    /bridge vault\.issuer/,
  ],
  ['rs names another issuer', (d) => edit(d, 'rs', (c) => (c.issuer = STRANGER)), /rs issuer/],
  [
    'consent-ui names another issuer',
    (d) => edit(d, 'consent-ui', (c) => (c.vault.issuer = STRANGER)),
    /consent-ui vault\.issuer/,
  ],
  [
    'the vault mints for another rs',
    (d) => edit(d, 'vault', (c) => (c.audiences = [STRANGER])),
    /vault audiences/,
  ],
  [
    'the bridge names another rs',
    (d) => edit(d, 'bridge', (c) => (c.rs.resource = STRANGER)),
    /bridge rs\.resource/,
  ],
  [
    'the bridge names another page',
    (d) => edit(d, 'bridge', (c) => (c.consent_ui.origin = 'http://localhost:1')),
    /bridge consent_ui\.origin/,
  ],
  [
    'the vault expects another origin',
    (d) => edit(d, 'vault', (c) => (c.webauthn.origins = ['http://localhost:1'])),
    /vault webauthn\.origins/,
  ],
  [
    'rs expects another origin',
    (d) => edit(d, 'rs', (c) => (c.webauthn.origins = ['http://localhost:1'])),
    /rs webauthn\.origins/,
  ],
  [
    'the relying parties differ',
    (d) => edit(d, 'rs', (c) => (c.webauthn.rp_id = 'example.com')),
    /webauthn\.rp_id/,
  ],
  [
    'rs knows no such action type',
    (d) => edit(d, 'rs', (c) => (c.rar_types = ['other'])),
    /rs rar_types/,
  ],
  [
    'the vault knows no such action type',
    (d) => edit(d, 'vault', (c) => (c.rar_types = ['other'])),
    /vault rar_types/,
  ],
  [
    'an address names another port',
    (d) => edit(d, 'bridge', (c) => (c.vault.url = STRANGER)),
    /bridge vault\.url/,
  ],
  [
    'the key set is looked for elsewhere',
    (d) => edit(d, 'rs', (c) => (c.jwks_uri = `${STRANGER}/jwks`)),
    /rs jwks_uri/,
  ],
  [
    'rs gates what the bridge does not',
    (d) => edit(d, 'bridge', (c) => (c.policy.delete_task.mode = 'open')),
    /delete_task is gated/,
  ],
  [
    'rs needs a scope the bridge does not',
    (d) => edit(d, 'bridge', (c) => (c.policy.create_task.scopes = [])),
    /create_task needs tasks\.write/,
  ],
  [
    'a callee has another key of the bridge',
    (d) => edit(d, 'rs', (c) => (c.clients[0].public_jwk = publicJwk(generateJwk('ES256')))),
    /clients entry bridge of rs/,
  ],
  [
    'a callee does not know a client',
    (d) => edit(d, 'vault', (c) => (c.clients = (c.clients as unknown[]).slice(0, 2))),
    /vault does not know the client rs/,
  ],
  [
    'a private key is damaged',
    (d) => writeFileSync(join(d, 'consent-ui', 'client.jwk'), '{}'),
    /client\.jwk is not a private key/,
  ],
  [
    'others can read a key',
    (d) => chmodSync(join(d, 'bridge', 'client.jwk'), 0o640),
    /other users can reach .*client\.jwk/,
  ],
  ['others can enter the directory', (d) => chmodSync(d, 0o755), /other users can reach/],
  [
    'rs trusts nobody',
    (d) => edit(d, 'rs', (c) => (c.approvers.trust_on_enrolment = false)),
    /trusts no approver key/,
  ],
  [
    'a configuration is not JSON',
    (d) => writeFileSync(join(d, 'vault', 'config.json'), '{'),
    /vault\/config\.json is not JSON/,
  ],
  [
    'a member has another type',
    (d) => edit(d, 'rs', (c) => (c.listen.port = '80')),
    /rs\/config\.json: listen\.port/,
  ],
  [
    'a configuration is missing',
    (d) => rmSync(join(d, 'bridge', 'config.json')),
    /cannot read .*bridge\/config\.json/,
  ],
  [
    'there is no data directory',
    (d) => rmSync(d, { recursive: true }),
    /there is no data directory/,
  ],
])('found: %s', async (_name, plant, expected) => {
  const data = await healthy();
  plant(data);
  expect(await problems(data)).toContainEqual(expect.stringMatching(expected));
});

test('found: an IP address as the origin of the page, with localhost as the remedy', async () => {
  const data = await healthy();
  const { 'consent-ui': port } = portsOf(data);
  edit(data, 'consent-ui', (c) => (c.origin = `http://127.0.0.1:${port}`));
  const finding = (await examine(data)).find(({ what }) => what.includes('IP address'));
  expect(finding).toMatchObject({ state: 'wrong', fix: `use http://localhost:${port}` });
});

test('found: a port another program has', async () => {
  const data = await healthy();
  const { rs: port } = portsOf(data);
  const server = createServer().listen(port, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  expect(await problems(data)).toEqual([expect.stringMatching(`port ${port} of rs is in use`)]);
});

test('found: an old Node', () => {
  expect(checkNode('20.18.0')[0]?.state).toBe('wrong');
  expect(checkNode('20.18.1')[0]?.state).toBe('ok');
  expect(checkNode('22.0.0')[0]?.state).toBe('ok');
});

test('the exit code is 1 exactly when something is wrong', async () => {
  const out = (): NodeJS.WriteStream => new PassThrough().resume() as unknown as NodeJS.WriteStream;
  const data = await healthy();
  expect(await doctor({ data }, out())).toBe(0);
  chmodSync(join(data, 'vault'), 0o755);
  expect(await doctor({ data }, out())).toBe(1);
});
