/** The data directory: one folder per trust domain, each with its own config.json, keys, stores and log. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

export const DOMAINS = ['vault', 'rs', 'consent-ui', 'bridge'] as const;
export type Domain = (typeof DOMAINS)[number];

const listen = z.looseObject({ host: z.string(), port: z.number().int().min(1).max(65_535) });
const jwk = z.looseObject({ kty: z.string() });
const client = z.looseObject({
  client_id: z.string(),
  public_jwk: jwk,
  roles: z.array(z.string()),
});
const ownKey = z.looseObject({ client_id: z.string(), private_jwk_file: z.string() });
const webauthn = z.looseObject({ rp_id: z.string(), origins: z.array(z.string()) });

/** The members of each domain's configuration that the CLI reads; each domain checks its own strictly at start. */
export const CONFIGS = {
  vault: z.looseObject({
    issuer: z.url(),
    listen,
    audiences: z.array(z.string()),
    rar_types: z.array(z.string()),
    webauthn,
    clients: z.array(client),
  }),
  rs: z.looseObject({
    resource: z.url(),
    listen,
    issuer: z.string(),
    jwks_uri: z.url(),
    rar_types: z.array(z.string()),
    webauthn,
    clients: z.array(client),
    approvers: z.looseObject({
      trust_on_enrolment: z.boolean(),
      directory_url: z.string().optional(),
    }),
    client: ownKey.optional(),
  }),
  'consent-ui': z.looseObject({
    origin: z.url(),
    listen,
    vault: z.looseObject({ url: z.url(), issuer: z.string() }),
    client: ownKey,
    clients: z.array(client),
  }),
  bridge: z.looseObject({
    listen,
    consent_ui: z.looseObject({ url: z.url(), origin: z.url() }),
    vault: z.looseObject({ url: z.url(), issuer: z.string() }),
    rs: z.looseObject({ url: z.url(), resource: z.string() }),
    client: ownKey,
    gate: z.looseObject({ key_file: z.string() }).optional(),
    rar_type: z.string(),
  }),
} as const;

export type ConfigOf<D extends Domain> = z.infer<(typeof CONFIGS)[D]>;
export type Configs = { readonly [D in Domain]: ConfigOf<D> };

export function domainDir(data: string, domain: Domain): string {
  return join(data, domain);
}

/** One domain's configuration. Throws one line that names the file and the member. */
export function readConfig<D extends Domain>(data: string, domain: D): ConfigOf<D> {
  const file = join(domainDir(data, domain), 'config.json');
  const parsed = CONFIGS[domain].safeParse(readJson(file));
  if (parsed.success) return parsed.data as ConfigOf<D>;
  const issue = parsed.error.issues[0];
  throw new Error(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`);
}

export function readConfigs(data: string): Configs {
  return {
    vault: readConfig(data, 'vault'),
    rs: readConfig(data, 'rs'),
    'consent-ui': readConfig(data, 'consent-ui'),
    bridge: readConfig(data, 'bridge'),
  };
}

/** A JSON file. Throws one line that names it. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`cannot read ${file}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file} is not JSON`);
  }
}
