import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { jsonObject } from '../../src/contract/payload.js';

const perMinute = z.number().int().positive();

/** `scheme://host[:port]` and nothing after it, as browsers send it in `Origin`. */
const pageOrigin = z.string().superRefine((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const complain = (message: string): void => {
    context.addIssue({ code: 'custom', message });
  };
  if (url?.origin !== text) {
    complain('must be an origin such as https://consent.example.com, without path or final slash');
    return;
  }
  // A passkey belongs to a domain name: WebAuthn has no RP ID for an IP address (WebAuthn L3 section 5.1.3).
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) {
    complain('must not be an IP address, passkeys need a name; use http://localhost:PORT');
  } else if (url.protocol !== 'https:' && url.hostname !== 'localhost') {
    complain('must be https, passkeys need a secure context; only http://localhost is exempt');
  }
});

/** https, or http on this very machine. */
const issuerUrl = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash } = new URL(text);
  const local = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && local)) && search === '' && hash === '';
}, 'must be https (http only on this machine), without query or fragment');

/** Sign-in at an OpenID Provider, beside the passkey. What it opens is read and declined; approving needs the passkey. */
const oidcSchema = z
  .strictObject({
    /** The provider's issuer, to the letter; its metadata is found there (OpenID Connect Discovery). */
    issuer: issuerUrl,
    client_id: z.string().min(1),
    /** Private JWK for `private_key_jwt`; `alg` says how it signs, ES256 when absent. */
    private_jwk_file: z.string().min(1).optional(),
    /** Or a file with the client secret. */
    client_secret_file: z.string().min(1).optional(),
    /** With `openid` among them. */
    scopes: z
      .array(z.string().min(1))
      .refine((scopes) => scopes.includes('openid'), 'must contain openid'),
    /** Claim of the ID token that is the approver's id: `sub` when absent. `email` counts only beside `email_verified: true`. */
    approver_claim: z.string().min(1).optional(),
  })
  .refine(
    (oidc) => (oidc.private_jwk_file === undefined) !== (oidc.client_secret_file === undefined),
    'needs either private_jwk_file or client_secret_file',
  );
export type OidcConfig = z.infer<typeof oidcSchema>;

const configSchema = z.strictObject({
  /** Where browsers reach this page. Sessions, Origin checks and passkeys hang on it; no request header ever changes it. */
  origin: pageOrigin,
  listen: z.strictObject({
    host: z.string().min(1),
    port: z.number().int().min(0).max(65_535),
  }),
  vault: z.strictObject({ url: z.url(), issuer: z.url() }),
  /** RP ID of the passkeys when it is a parent domain of the origin's host. Default: the host. */
  rp_id: z.string().min(1).optional(),
  client: z.strictObject({
    client_id: z.string().min(1),
    private_jwk_file: z.string().min(1),
  }),
  /** Services that may call `/v1`, each by its public EC P-256 key. */
  clients: z.array(
    z.strictObject({
      client_id: z.string().min(1).max(256),
      public_jwk: jsonObject,
      roles: z.array(z.enum(['propose'])).min(1),
    }),
  ),
  oidc: oidcSchema.optional(),
  session_ttl_seconds: z.number().int().min(60).max(2_592_000),
  /** Requests a minute, in place of those of limits.ts: for example behind a proxy that many people share as one address. */
  limits: z
    .strictObject({
      requests: perMinute,
      signIn: perMinute,
      enrol: perMinute,
      decide: perMinute,
      recordedRefusals: perMinute,
    })
    .partial()
    .optional(),
  /** Must be empty: nobody but its approver reads a consent. */
  auditors: z.array(z.string()).max(0).optional(),
});
export type Config = z.infer<typeof configSchema>;

/** The configuration or a key of it is unusable. `message` is one line that names the member and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * The validated `config.json` of the data directory. Nothing is defaulted or coerced.
 * @throws ConfigError naming the first bad member
 */
export function loadConfig(dataDir: string): Config {
  const file = join(dataDir, 'config.json');
  const parsed = configSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigError(
    `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not acceptable'}`,
  );
}

/** The private EC P-256 key (a JWK file, relative to the data directory) this service authenticates with. @throws ConfigError */
export function loadClientKey(dataDir: string, config: Config): KeyObject {
  const file = join(dataDir, config.client.private_jwk_file);
  try {
    const key = createPrivateKey({ key: jsonObject.parse(readJson(file)), format: 'jwk' });
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
  }
  throw new ConfigError(`${file}: client.private_jwk_file must hold a private EC P-256 JWK`);
}

/** Warns on stderr when others on this machine can read the file or directory. */
export function warnIfShared(path: string): void {
  if ((statSync(path).mode & 0o077) !== 0) {
    process.stderr.write(`consent-ui: ${path} is accessible to other users; chmod go= it\n`);
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new ConfigError(`${file}: ${cause instanceof Error ? cause.message : 'cannot be read'}`);
  }
}
