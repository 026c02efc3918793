import { once } from 'node:events';
import { chmodSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJws } from '../../../vault/jws.js';
import { createSoftwareAuthenticator } from '../../support/software-authenticator.js';
import { form2, rawSigner, signWithPasskey } from './support/signers.js';
import type { Body } from './support/test-vault.js';
import { assertion, dataDirectory, ORIGIN, tokenForm } from './support/test-vault.js';
import { bundleVault, runVault, serveVault } from './support/vault-program.js';

// Each test starts processes.
vi.setConfig({ testTimeout: 30_000 });

let program: string;
beforeAll(async () => {
  const bundle = await bundleVault();
  program = bundle.program;
  return bundle.remove;
});

const nowSeconds = () => Math.floor(Date.now() / 1000);

async function exchange(url: string, form: Record<string, string>) {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...form,
      client_assertion: assertion('bridge', {}, {}, nowSeconds()),
    }),
  });
  return (await response.json()) as Body;
}

async function enrolByCommand(directory: string) {
  const alice = rawSigner('eddsa');
  const { code } = await runVault(
    program,
    ...['add-key', '--data', directory, '--approver', 'alice@example.com'],
    ...['--public-jwk', JSON.stringify(alice.publicJwk), '--json'],
  );
  expect(code).toBe(0);
  return alice;
}

describe('two vault processes on one file', () => {
  it('mint one credential between them, of twenty presentations at once', async () => {
    const directory = dataDirectory();
    const alice = await enrolByCommand(directory);
    const vaults = await Promise.all([1, 2].map(() => serveVault(program, directory)));
    const signed = alice.sign(form2({ exp: nowSeconds() + 300 }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => exchange(vaults[i % 2]!.url, tokenForm(signed))),
    );
    expect(answers.filter(({ access_token }) => access_token !== undefined)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'SignatureReplay')).toHaveLength(19);
    expect(vaults.map(({ log }) => log())).toEqual(['', '']);
  });

  it('answer an identical repeat with the same credential, also after being killed', async () => {
    const directory = dataDirectory();
    const alice = await enrolByCommand(directory);
    const [one, two] = await Promise.all([1, 2].map(() => serveVault(program, directory)));
    const form = tokenForm(alice.sign(form2({ exp: nowSeconds() + 300 })));
    const first = await exchange(one!.url, form);
    expect(first.jti).toMatch(/^[0-9a-f]{32}$/);
    one!.process.kill('SIGKILL');
    expect((await exchange(two!.url, form)).jti).toBe(first.jti);
    const again = await serveVault(program, directory);
    expect((await exchange(again.url, form)).jti).toBe(first.jti);
    const stolen = await exchange(again.url, { ...form, mint_id: 'x'.repeat(22) });
    expect(stolen.code).toBe('SignatureReplay');
  });
});

describe('a running vault', () => {
  it('takes up a rotation, a new key and a revocation without a restart, and ends cleanly', async () => {
    const directory = dataDirectory();
    const alice = await enrolByCommand(directory);
    const vault = await serveVault(program, directory);
    const mint = () =>
      exchange(vault.url, tokenForm(alice.sign(form2({ exp: nowSeconds() + 300 }))));
    const kidOf = ({ access_token = '' }: Body) =>
      readJws(access_token, 'at+jwt', 'MalformedCredential').kid;
    const before = kidOf(await mint());
    const { stdout } = await runVault(program, 'rotate-key', '--data', directory, '--json');
    const { key_id } = JSON.parse(stdout) as Body;
    expect(kidOf(await mint())).toBe(key_id);
    const jwks = (await (await fetch(`${vault.url}/.well-known/jwks.json`)).json()) as Body;
    expect(jwks.keys.map(({ kid }) => kid)).toEqual([key_id, before]);
    await runVault(program, 'revoke-key', '--data', directory, '--key-id', alice.keyId);
    expect((await mint()).code).toBe('UnknownApprover');
    vault.process.kill('SIGTERM');
    expect(await once(vault.process, 'exit')).toEqual([0, null]);
    expect(vault.log()).toBe('');
  });

  it('enrols a passkey through an invitation made by command', async () => {
    const directory = dataDirectory();
    const vault = await serveVault(program, directory);
    const args = ['--data', directory, '--approver', 'alice@example.com', '--json'];
    const made = await runVault(program, 'invite', ...args);
    const { invite } = JSON.parse(made.stdout) as { invite: string };
    const post = async (path: string, body: object) =>
      (
        await fetch(`${vault.url}/v1/${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${assertion('consent-ui', {}, {}, nowSeconds())}`,
          },
          body: JSON.stringify(body),
        })
      ).json() as Promise<Body>;
    const passkey = createSoftwareAuthenticator({ rpId: 'localhost', origin: ORIGIN });
    const { enrolment_id, options } = await post('enrolments/options', { invite });
    const response = passkey.create(options);
    await post('enrolments/finish', { enrolment_id, response, label: 'laptop' });
    const payload = form2({ exp: nowSeconds() + 300 });
    const minted = await exchange(vault.url, tokenForm(signWithPasskey(passkey, payload)));
    expect(minted.approver_id).toBe('alice@example.com');
    const listed = await runVault(program, 'list-keys', '--data', directory, '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ label: 'laptop', revoked_at: null }]);
  });

  it('keeps its files to itself, and says so if they are not', async () => {
    const directory = dataDirectory();
    const quiet = await serveVault(program, directory);
    expect(quiet.log()).toBe('');
    for (const name of ['vault.db', 'vault.db-wal', 'vault.db-shm']) {
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    }
    quiet.process.kill('SIGTERM');
    await once(quiet.process, 'exit');
    chmodSync(join(directory, 'config.json'), 0o644);
    const warned = await serveVault(program, directory);
    expect(warned.log()).toMatch(/config\.json can be read by others/);
  });
});

it('a wrong configuration ends the start with one line', async () => {
  const directory = dataDirectory({ issuer: 'nonsense' });
  const { code, stdout, stderr } = await runVault(program, 'serve', '--data', directory);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^vault: .*config\.json: issuer .*\n$/);
});

describe('operator commands', () => {
  it('print the record, as lines of JSON or for people', async () => {
    const directory = dataDirectory();
    await enrolByCommand(directory);
    const json = await runVault(program, 'record', '--data', directory, '--json');
    const entries = json.stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(entries).toMatchObject([
      { seq: 1, domain: 'vault', event: 'approver-key.enrolled', by: 'operator' },
    ]);
    const after = await runVault(program, 'record', '--data', directory, '--after', '1');
    expect(after.stdout).toBe('');
  });

  it.each([
    [['revoke-key', '--key-id', 'x'], /no such active key/],
    [['revoke-key'], /--key-id or --approver/],
    [['revoke-key', '--key-id', 'x', '--approver', 'y'], /--key-id or --approver/],
    [['add-key', '--approver', 'a', '--public-jwk', '{"kty":"EC"}'], /public_jwk/],
    [['add-key', '--approver', 'a', '--public-jwk', '{'], /JSON/],
    [['add-key', '--approver', '\u0007', '--public-jwk', '{}'], /--approver/],
    [['invite', '--approver', 'a', '--ttl', '1.5'], /whole seconds/],
    [['invite'], /--approver/],
  ])('%j fails with a line that says why', async (args, line) => {
    const { code, stdout, stderr } = await runVault(program, ...args, '--data', dataDirectory());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
  });

  it('do not make a vault where there is none', async () => {
    const missing = join(tmpdir(), 'no-such-vault');
    const { code, stderr } = await runVault(program, 'list-keys', '--data', missing);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no-such-vault/);
  });

  it('each show an example', async () => {
    for (const name of [
      'serve',
      'invite',
      'add-key',
      'list-keys',
      'revoke-key',
      'rotate-key',
      'record',
    ]) {
      expect((await runVault(program, name, '--help')).stdout).toMatch(/Example:/);
    }
  });
});
