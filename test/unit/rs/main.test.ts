/** The resource server as a program: configuration, one ready line, operator commands, stop. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bundle } from './bundle.js';
import { Fixture } from './fixture.js';
import { credentialIdOf, keyPair } from './keys.js';

// Child processes start slowly where cores are few.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let main: ReturnType<typeof bundle>;
let dir: string;
const f = new Fixture();
beforeAll(async () => {
  main = bundle('rs/main.ts');
  await f.vault.listen();
});
afterAll(async () => {
  main.remove();
  await f.close();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'rs-main-'));
  return () => rmSync(dir, { recursive: true });
});

function rs(...args: string[]) {
  const [command = '', ...options] = args;
  const all = [main.file, command, '--data', dir, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { encoding: 'utf8' });
  return { status, stdout, stderr };
}
const configure = (config: object | string) =>
  writeFileSync(
    join(dir, 'config.json'),
    typeof config === 'string' ? config : JSON.stringify(config),
    { mode: 0o600 },
  );

describe('serve', () => {
  it('prints one ready line, answers, and stops cleanly', async () => {
    configure(f.config());
    const child = spawn(process.execPath, [main.file, 'serve', '--data', dir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines: string[] = [];
    const output = createInterface({ input: child.stdout });
    output.on('line', (line) => lines.push(line));
    await once(output, 'line');
    const ready = JSON.parse(lines[0]!);
    expect(ready).toEqual({
      ready: 'rs',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
    expect((await fetch(`${ready.url}/healthz`)).status).toBe(200);
    expect(statSync(join(dir, 'rs.db')).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(lines).toHaveLength(1);
  });

  it.each<[string, (config: Record<string, unknown>) => object | string, RegExp]>([
    ['no file', () => '', /config\.json: not strict JSON/],
    ['a duplicate member', () => '{"a":1,"a":1}', /not strict JSON at "a"/],
    ['an unknown member', (c) => ({ ...c, extra: 1 }), /extra/],
    ['a missing member', ({ issuer, ...c }) => ({ ...c, was: undefined, i: issuer }), /issuer/],
    ['a text port', (c) => ({ ...c, listen: { host: 'x', port: '1' } }), /listen\.port/],
    ['HS256', (c) => ({ ...c, credential_algs: ['HS256'] }), /credential_algs\.0/],
    [
      'an origin with a path',
      (c) => ({ ...c, webauthn: { rp_id: 'localhost', origins: ['http://localhost/x'] } }),
      /webauthn\.origins\.0/,
    ],
    [
      'a private client key',
      (c) => ({
        ...c,
        clients: [
          {
            client_id: 'bridge',
            public_jwk: keyPair().privateKey.export({ format: 'jwk' }),
            roles: [],
          },
        ],
      }),
      /clients\.0\.public_jwk/,
    ],
    [
      'trust at enrolment without a directory',
      (c) => ({ ...c, approvers: { trust_on_enrolment: true } }),
      /approvers\.trust_on_enrolment: needs/,
    ],
  ])('dies with one line that names it: %s', (_name, bend, line) => {
    configure(bend(f.config()));
    const { status, stdout, stderr } = rs('serve');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(line);
    expect(stderr).not.toMatch(/"d"/);
  });

  it('warns of a configuration others can read', async () => {
    configure(f.config());
    chmodSync(join(dir, 'config.json'), 0o644);
    const child = spawn(process.execPath, [main.file, 'serve', '--data', dir], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [warning] = await once(createInterface({ input: child.stderr }), 'line');
    expect(warning).toMatch(/warning: .*config\.json/);
    await once(createInterface({ input: child.stdout }), 'line');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('operator commands', () => {
  it('trust, list, revoke, and the record of it', () => {
    const key = keyPair();
    const jwk = JSON.stringify(key.jwk);
    const trusted = rs(
      'trust',
      '--approver',
      'alice',
      '--public-jwk',
      jwk,
      '--credential-id',
      credentialIdOf(key),
      '--json',
    );
    expect(JSON.parse(trusted.stdout)).toMatchObject({ key_id: key.keyId, scheme: 'webauthn' });
    writeFileSync(join(dir, 'bob.jwk'), JSON.stringify(keyPair('EdDSA').jwk));
    const second = rs('trust', '--approver', 'bob', '--public-jwk', join(dir, 'bob.jwk'));
    expect(second.stdout).toMatch(/^bob trusts eddsa key [\w-]{43}\n$/);
    const { keys } = JSON.parse(rs('list-approvers', '--json').stdout);
    expect(keys).toMatchObject([
      { approver_id: 'alice', revoked: false },
      { approver_id: 'bob', revoked: false },
    ]);
    expect(JSON.parse(rs('revoke', '--approver', 'bob', '--json').stdout).revoked).toHaveLength(1);
    expect(rs('revoke', '--key-id', key.keyId).stdout).toBe(`revoked: ${key.keyId}\n`);
    expect(rs('revoke', '--key-id', key.keyId).status).toBe(1);
    expect(rs('revoke').status).toBe(1);
    expect(rs('list-approvers').stdout).toMatch(/^revoked alice .*\nrevoked bob/);
    const lines = rs('record', '--json', '--after', '2').stdout.trim().split('\n');
    expect(lines.map((line) => String(JSON.parse(line).event))).toEqual([
      'approver.revoked',
      'approver.revoked',
    ]);
    expect(rs('record').stdout.trim().split('\n')).toHaveLength(4);
  });

  it('an unusable key is one line', () => {
    const { status, stderr } = rs('trust', '--approver', 'a', '--public-jwk', '{"kty":"oct"}');
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    const jwk = JSON.stringify(keyPair().jwk);
    const odd = rs('trust', '--approver', 'a', '--public-jwk', jwk, '--scheme', 'pgp');
    expect(odd.stderr).toMatch(/^rs: scheme: .*\n$/);
  });

  it('seed-tasks, once', () => {
    const seed = () => rs('seed-tasks', '--titles', 'a,b', '--if-empty', '--json').stdout;
    expect(JSON.parse(seed())).toEqual({ created: ['t-1', 't-2'] });
    expect(JSON.parse(seed())).toEqual({ created: [] });
  });
});
