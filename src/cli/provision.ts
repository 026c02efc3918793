/** Creates what a data directory lacks, and never touches what it has. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonWebKey } from 'node:crypto';
import { DOMAINS, domainDir, readConfig, readJson } from './data-directory.js';
import { initialConfigs } from './initial-configs.js';
import { generateJwk, publicJwk } from './jwk.js';
import type { Ports } from './ports.js';

/** True once every domain has a configuration. */
export function isProvisioned(data: string): boolean {
  return DOMAINS.every((domain) => existsSync(join(domainDir(data, domain), 'config.json')));
}

/** The ports a provisioned data directory listens on. */
export function portsOf(data: string): Ports {
  return {
    bridge: readConfig(data, 'bridge').listen.port,
    'consent-ui': readConfig(data, 'consent-ui').listen.port,
    vault: readConfig(data, 'vault').listen.port,
    rs: readConfig(data, 'rs').listen.port,
  };
}

/**
 * Directories 0700, files 0600: a config.json per domain, an ES256 client key each for bridge, consent-ui and rs
 * (`client.jwk`), and the bridge's gate key (`gate.key`, 32 random bytes base64url). The vault makes its mint key itself.
 * Running it again changes nothing.
 */
export function provision(data: string, ports: Ports): void {
  makeDirectory(data);
  for (const domain of DOMAINS) makeDirectory(domainDir(data, domain));
  const configs = initialConfigs(ports, {
    bridge: clientKey(data, 'bridge'),
    'consent-ui': clientKey(data, 'consent-ui'),
    rs: clientKey(data, 'rs'),
  });
  createFile(join(domainDir(data, 'bridge'), 'gate.key'), () =>
    randomBytes(32).toString('base64url'),
  );
  for (const domain of DOMAINS) {
    createFile(join(domainDir(data, domain), 'config.json'), () => pretty(configs[domain]));
  }
}

function clientKey(
  data: string,
  domain: 'bridge' | 'consent-ui' | 'rs',
): ReturnType<typeof publicJwk> {
  const file = join(domainDir(data, domain), 'client.jwk');
  createFile(file, () => pretty(generateJwk('ES256')));
  return publicJwk(readJson(file) as JsonWebKey);
}

function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** `wx`: two runs at once cannot give one key two values. */
function createFile(path: string, content: () => string): void {
  if (existsSync(path)) return;
  try {
    writeFileSync(path, content(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
