import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { a2aConfig } from './a2a/config.js';
import { toolPolicy } from './dispatcher/policy.js';
import { oauthConfig } from './oauth/config.js';

/** The bridge's `config.json`. Unknown members are errors, so a misspelt one cannot be silently ignored. */
export const bridgeConfig = z.strictObject({
  listen: z.strictObject({ host: z.string().min(1), port: z.number().int().min(0).max(65_535) }),
  /** Host names under which clients may reach `/mcp`; loopback names when absent (DNS rebinding). */
  allowed_hosts: z.array(z.string().min(1)).optional(),
  consent_ui: z.strictObject({ url: z.url(), origin: z.url() }),
  vault: z.strictObject({ url: z.url(), issuer: z.url() }),
  rs: z.strictObject({ url: z.url(), resource: z.url() }),
  client: z.strictObject({ client_id: z.string().min(1), private_jwk_file: z.string().min(1) }),
  /** Without it there is no gate and the surface is read-only. */
  gate: z.strictObject({ key_file: z.string().min(1) }).optional(),
  rar_type: z.string().min(1),
  /** How long an approver has, seconds; the vault's own bound still holds. */
  ttl_seconds: z.number().int().min(10).max(600),
  /** What a client without URL-mode elicitation gets. */
  fallback: z.enum(['result', 'hold', 'refuse']),
  /** How long a 2026-07-28 retry waits for the person. */
  wait_seconds: z.number().int().min(0).max(25).optional(),
  allowlist: z.array(z.string().min(1)),
  policy: z.record(z.string(), toolPolicy),
  /** Other agents, over A2A. */
  a2a: a2aConfig.optional(),
  /** Authorization servers whose access tokens are taken, on `/mcp` and `/a2a` alike. */
  oauth: oauthConfig.optional(),
});
export type BridgeConfig = z.infer<typeof bridgeConfig>;

/** Reads and checks `config.json` in the data directory. @throws Error with one line naming the member at fault */
export function loadConfig(dataDir: string): BridgeConfig {
  const file = join(dataDir, 'config.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new Error(`${file} cannot be read; \`bridge up\` makes a fresh data directory`);
  }
  const parsed = bridgeConfig.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`);
}
