import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig as consentUiConfig } from '../../../consent-ui/server/config.js';
import { readConfig as rsConfig } from '../../../rs/config.js';
import { domainDir } from '../../../src/cli/data-directory.js';
import { portsFrom } from '../../../src/cli/ports.js';
import { isProvisioned, portsOf, provision } from '../../../src/cli/provision.js';
import { loadConfig as bridgeConfig } from '../../../src/config.js';
import { loadConfig as vaultConfig } from '../../../vault/config.js';
import { temporaryDirectory } from './temporary-directory.js';

function fresh(base = 9420): string {
  const data = join(temporaryDirectory(), 'data');
  provision(data, portsFrom(base));
  return data;
}

function tree(data: string): Map<string, string> {
  const files = readdirSync(data, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

test('directories are 0700 and files 0600, whatever the umask', () => {
  const before = process.umask(0);
  const data = fresh();
  process.umask(before);
  const entries = readdirSync(data, { recursive: true }).map((name) => join(data, String(name)));
  for (const path of [data, ...entries]) {
    const stat = statSync(path);
    expect([path, stat.mode & 0o777]).toEqual([path, stat.isDirectory() ? 0o700 : 0o600]);
  }
});

test('a second run changes nothing, not even for other ports', () => {
  const data = fresh();
  const before = tree(data);
  provision(data, portsFrom(9520));
  expect(tree(data)).toEqual(before);
  expect(portsOf(data)).toEqual(portsFrom(9420));
});

test('a changed file is kept, a missing one comes back', () => {
  const data = fresh();
  const gate = join(domainDir(data, 'bridge'), 'gate.key');
  const config = join(domainDir(data, 'rs'), 'config.json');
  const edited = readFileSync(config, 'utf8').replace(
    '"trust_on_enrolment": true',
    '"trust_on_enrolment": false',
  );
  chmodSync(config, 0o600);
  writeFileSync(config, edited);
  writeFileSync(gate, '');
  provision(data, portsFrom(9420));
  expect(readFileSync(config, 'utf8')).toBe(edited);
  expect(readFileSync(gate, 'utf8')).toBe('');
  expect(isProvisioned(data)).toBe(true);
});

test('two directories share no secret', () => {
  const secrets = (data: string): string[] =>
    [...tree(data)].filter(([path]) => !path.endsWith('config.json')).map(([, text]) => text);
  const [one, other] = [secrets(fresh()), secrets(fresh())];
  expect(one).toHaveLength(4);
  expect(one.filter((secret) => other.includes(secret))).toEqual([]);
});

test('each domain accepts its configuration with its own strict schema', () => {
  const data = fresh();
  expect(vaultConfig(domainDir(data, 'vault')).issuer).toBe('http://127.0.0.1:9422');
  expect(rsConfig(domainDir(data, 'rs')).resource).toBe('http://127.0.0.1:9423');
  expect(consentUiConfig(domainDir(data, 'consent-ui')).origin).toBe('http://localhost:9421');
  expect(bridgeConfig(domainDir(data, 'bridge')).allowlist).toEqual(['delete_task']);
});

test('no private key is in any configuration', () => {
  for (const [path, text] of tree(fresh())) {
    if (path.endsWith('config.json')) expect([path, text.includes('"d"')]).toEqual([path, false]);
  }
});
