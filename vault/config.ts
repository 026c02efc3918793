import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { pathOf } from '../src/contract/path.js';
import { jsonObject } from '../src/contract/payload.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { isIpAddress } from './ip-address.js';
import type { PublicKey } from './public-key.js';
import { importPublicJwk } from './public-key.js';
import { stepsOf } from './shape.js';

const text = z.string().min(1);

/** Scheme, host and port, nothing else: identifiers are compared as strings, so each has one spelling. */
const origin = text.refine((value) => URL.canParse(value) && new URL(value).origin === value, {
  error:
    'must be an origin such as https://host or http://127.0.0.1:8422, without a path or a trailing slash',
});

const USE_LOCALHOST =
  'is an IP address, which WebAuthn does not allow as a relying party; use localhost';
const webauthnOrigin = origin.refine(
  (value) => !isIpAddress(new URL(value).hostname),
  USE_LOCALHOST,
);

const publicJwk = jsonObject.transform((jwk, context): PublicKey => {
  try {
    const key = importPublicJwk(jwk);
    if (key.alg === 'ES256') return key;
  } catch {
    // Reported below, in the same words: the operator has one thing to do.
  }
  context.addIssue('must be the public JWK of an EC P-256 key');
  return z.NEVER;
});

const client = z
  .strictObject({
    client_id: text,
    public_jwk: publicJwk,
    roles: z.array(z.enum(['mint', 'ceremony', 'directory'])).min(1),
    agents: z.array(text).optional(),
  })
  .refine(({ roles, agents }) => !roles.includes('mint') || agents !== undefined, {
    path: ['agents'],
    error: 'is needed for the role mint: client ids it may mint for, or "*"',
  })
  .transform(({ client_id, public_jwk, roles, agents = [] }) => ({
    clientId: client_id,
    publicKey: public_jwk,
    roles,
    agents,
  }));

const commandName = text.regex(/^[^*]+\*?$|^\*$/, 'may have one * at its end only');

/** `config.json` of the vault. Everything is required: nothing about a vault should be a default one did not see. */
const schema = z.strictObject({
  issuer: origin,
  listen: z.strictObject({ host: text, port: z.number().int().min(0).max(65535) }),
  audiences: z.array(text).min(1),
  rar_types: z.array(text).min(1),
  max_ttl_seconds: z.number().int().positive().max(86_400),
  credential_alg: z.enum(['ES256', 'EdDSA']),
  webauthn: z
    .strictObject({
      rp_id: text.refine((value) => !isIpAddress(value), USE_LOCALHOST),
      rp_name: text,
      origins: z.array(webauthnOrigin).min(1),
    })
    .refine(({ rp_id, origins }) => origins.every((value) => belongsTo(rp_id, value)), {
      path: ['origins'],
      error: 'must have rp_id as their host or its parent domain',
    }),
  clients: z
    .array(client)
    .refine(
      (clients) => new Set(clients.map(({ clientId }) => clientId)).size === clients.length,
      'must not name a client_id twice',
    ),
  policy: z.strictObject({
    default: z.array(text),
    commands: z.record(commandName, z.array(text)),
  }),
});

export type VaultConfig = z.infer<typeof schema>;

/**
 * Reads and validates `config.json` in the data directory.
 * @throws Error with one line that names the member and says what it must be.
 */
export function loadConfig(directory: string): VaultConfig {
  const path = join(directory, 'config.json');
  const parsed = schema.safeParse(readJson(path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = issue === undefined ? '' : pathOf(stepsOf(issue));
  throw new Error(`${path}: ${member} ${issue?.message ?? 'has another shape'}`);
}

function readJson(path: string): unknown {
  try {
    return parseStrictJson(readFileSync(path, 'utf8'), 'vault');
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : 'cannot be read'}`, {
      cause: error,
    });
  }
}

/** WebAuthn L3 section 5.1.2: the RP ID is the origin's host or a parent domain of it. */
function belongsTo(rpId: string, webOrigin: string): boolean {
  const { hostname } = new URL(webOrigin);
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
}
