import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { ConfigDocument } from './document.js';
import { ConfigError, type Finding } from './finding.js';
import { meaningOf } from './meaning.js';
import { type GatewayConfig, gatewayConfig } from './schema.js';

/**
 * Reads bridge.config.yaml (or .json) and checks it whole.
 * @throws ConfigError with every finding at its line; Error when there is no such file
 */
export function loadGatewayConfig(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): GatewayConfig {
  return parseGatewayConfig(file, read(file), environment);
}

export function parseGatewayConfig(
  file: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): GatewayConfig {
  const document = new ConfigDocument(text);
  if (document.syntax.length > 0) throw new ConfigError(file, document.syntax);
  const parsed = gatewayConfig.safeParse(document.value);
  const findings = parsed.success
    ? meaningOf(parsed.data, environment)
    : parsed.error.issues.flatMap(findingsOf);
  if (!parsed.success || findings.length > 0)
    throw new ConfigError(
      file,
      findings
        .map((finding) => document.placed(finding))
        .sort((one, other) => one.line - other.line || one.column - other.column),
    );
  return parsed.data;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`cannot read ${file}; \`bridge init\` writes one`);
  }
}

/** A schema issue in an operator's words. */
function findingsOf(issue: z.core.$ZodIssue): readonly Finding[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      problem: 'there is no such member here',
      fix: nearest(key) ?? 'take it out, or correct its name',
    }));
  if (issue.code === 'invalid_key')
    return [
      { path, problem: issue.issues[0]?.message ?? issue.message, fix: 'choose another name' },
    ];
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat().find(({ path: at }) => at.length > 0);
    if (inner !== undefined) return findingsOf({ ...inner, path: [...path, ...inner.path] });
    return [
      {
        path,
        problem: 'is neither a mode nor a rule',
        fix: 'say open, gated or denied, or a rule with `mode`',
      },
    ];
  }
  const problem = issue.message.replace(/^Invalid (input|option): /, '');
  return [{ path, problem, fix: 'write what is expected here' }];
}

const MEMBERS = [
  ...['version', 'port_base', 'caller', 'approvers', 'ttl_seconds', 'fallback', 'oauth'],
  ...['example_tasks', 'upstreams', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'prefix'],
  ...['tools', 'resources', 'prompts', 'mode', 'scopes', 'message', 'subject', 'client_id'],
];

function nearest(key: string): string | undefined {
  const close = MEMBERS.find((member) => distance(key.toLowerCase(), member) <= 2);
  return close === undefined ? undefined : `did you mean \`${close}\`?`;
}

/** Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (const [at, opposite] of Array.from(other).entries())
      next.push(
        Math.min(
          (row[at + 1] ?? 0) + 1,
          (next[at] ?? 0) + 1,
          (row[at] ?? 0) + (letter === opposite ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
