/** Creates what a data directory lacks, and never touches what it has. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonWebKey } from 'node:crypto';
import { type Domain, DOMAINS, domainDir, readConfig, readJson } from './data-directory.js';
import { initialConfigs } from './initial-configs.js';
import type { Overlay } from './gateway/overlay.js';
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
 * Running it again changes nothing, except for the members an overlay gives.
 */
export function provision(data: string, ports: Ports, overlay?: Overlay): void {
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
  if (overlay === undefined) return;
  for (const [domain, members] of Object.entries(overlay(configs))) {
    const file = join(domainDir(data, domain as Domain), 'config.json');
    replaceFile(file, pretty({ ...(readJson(file) as object), ...members }));
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

/** Whole or not at all. */
function replaceFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
