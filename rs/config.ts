/** config.json of the resource server: read once at start, strictly; a wrong member ends the process with its name. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Refusal } from '../src/contract/errors.js';
import { mostSpecific } from '../src/contract/patterns.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import type { Client } from './client-authentication.js';
import { firstIssue } from './first-issue.js';
import type { PublicKey } from './public-key.js';
import { loadPublicKey } from './public-key.js';
import { upstreams } from './upstream/upstream-config.js';

const name = z.string().min(1).max(256);
const url = z.url({ protocol: /^https?$/ });
const origin = url.refine(
  (u) => URL.canParse(u) && new URL(u).origin === u,
  'must be an origin, without a path',
);

const loadedKey = z.unknown().transform((jwk, context): PublicKey => {
  try {
    return loadPublicKey(jwk);
  } catch (error) {
    context.addIssue({ code: 'custom', message: String(error) });
    return z.NEVER;
  }
});

const client = z
  .strictObject({ client_id: name, public_jwk: loadedKey, roles: z.array(z.enum(['execute'])) })
  .transform(({ client_id, public_jwk, roles }): Client => ({
    clientId: client_id,
    key: public_jwk,
    roles,
  }));

/** A Map, so that a command called `constructor` is not found by inheritance. */
function mapOf<T>(value: z.ZodType<T>) {
  return z.record(name, value).transform((members): ReadonlyMap<string, T> => {
    return new Map(Object.entries(members));
  });
}

const commandRule = z.strictObject({
  scopes: z.array(name),
  mode: z.enum(['open', 'gated', 'denied']),
});

export const rsConfig = z
  .strictObject({
    resource: url,
    listen: z.strictObject({ host: z.string().min(1), port: z.int().min(0).max(65_535) }),
    issuer: url,
    jwks_uri: url,
    credential_algs: z.array(z.enum(['ES256', 'EdDSA'])).min(1),
    rar_types: z.array(name).min(1),
    webauthn: z.strictObject({ rp_id: name, origins: z.array(origin).min(1) }),
    clients: z.array(client).min(1),
    approvers: z.strictObject({
      trust_on_enrolment: z.boolean(),
      directory_url: origin.optional(),
    }),
    client: z.strictObject({ client_id: name, private_jwk_file: name }).optional(),
    policy: z.strictObject({ default: z.array(name), commands: mapOf(z.array(name)) }),
    commands: mapOf(commandRule),
    upstreams: upstreams.default([]),
    example_tasks: z.boolean().optional(),
  })
  .transform(({ approvers, client: own, example_tasks, ...members }, context) => {
    const rest = { ...members, exampleTasks: example_tasks ?? members.upstreams.length === 0 };
    const { trust_on_enrolment, directory_url } = approvers;
    if (!trust_on_enrolment) return { ...rest, enrolment: undefined };
    if (directory_url === undefined || own === undefined) {
      context.addIssue({
        code: 'custom',
        path: ['approvers', 'trust_on_enrolment'],
        message: 'needs approvers.directory_url and client',
      });
      return z.NEVER;
    }
    const { client_id: clientId, private_jwk_file: privateJwkFile } = own;
    return { ...rest, enrolment: { directoryUrl: directory_url, clientId, privateJwkFile } };
  });
export type RsConfig = z.infer<typeof rsConfig>;
/** The scopes a caller needs, and whether a human must approve. */
export type CommandRule = Readonly<z.infer<typeof commandRule>>;
/** By exact name or pattern; the most specific one holds. */
export type CommandTable = ReadonlyMap<string, CommandRule>;

/** What holds for a command no name or pattern fits. */
const GATED: CommandRule = { scopes: [], mode: 'gated' };

export function ruleOf(command: string, commands: CommandTable): CommandRule {
  return mostSpecific(commands, command) ?? GATED;
}

/**
 * Reads DIR/config.json.
 * @throws Error with one line that names the file and the member
 */
export function readConfig(dataDir: string): RsConfig {
  const file = join(dataDir, 'config.json');
  const parsed = rsConfig.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  throw new Error(`${file}: ${firstIssue(parsed.error)}`);
}

function readJson(file: string): unknown {
  try {
    return parseStrictJson(readFileSync(file, 'utf8'), 'rs');
  } catch (error) {
    const at =
      error instanceof Refusal ? `not strict JSON at "${error.path ?? ''}"` : String(error);
    throw new Error(`${file}: ${at}`, { cause: error });
  }
}

/** Files and folders of the data directory that group or others may read; a reason to warn. */
export function readableByOthers(dataDir: string): string[] {
  return [dataDir, join(dataDir, 'config.json')].filter((f) => (statSync(f).mode & 0o077) !== 0);
}
