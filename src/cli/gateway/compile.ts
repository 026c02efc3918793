/** bridge.config.yaml turned into what the four domains each enforce by themselves. */
import { resolve } from 'node:path';
import type { JsonObject } from '../../contract/json.js';
import { promptCommand, resourceCommand } from '../../dispatcher/upstream-commands.js';
import { prefixOf } from './prefix.js';
import type { GatewayConfig, Rule, Upstream } from './schema.js';
import { withVariables } from './variables.js';

/** Members that replace those of a fresh data directory. */
export interface Compiled {
  readonly vault: JsonObject;
  readonly rs: JsonObject;
  readonly bridge: JsonObject;
}

/** Servers that offer some tools only to clients that can be asked are listed as such a client sees them. */
const LIST_WITH = ['sampling', 'elicitation', 'roots'];

/** Where the file stands, for paths in it, and the variables it may refer to. */
export interface Surroundings {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What every domain is told of the rules for commands, whoever runs them. */
export function compileRules(
  rules: readonly (readonly [command: string, rule: Rule])[],
  everywhere: readonly string[] | undefined,
): {
  /** Who may approve what, as vault and resource server each enforce it. */
  readonly approvers: JsonObject;
  /** The resource server's own table. */
  readonly commands: JsonObject;
  /** What the bridge asks by. */
  readonly policy: JsonObject;
} {
  return {
    approvers: {
      default: everywhere ?? ['subject'],
      commands: Object.fromEntries(
        rules.flatMap(([command, { approvers }]) =>
          approvers === undefined ? [] : [[command, approvers] as const],
        ),
      ),
    },
    commands: Object.fromEntries(
      rules.map(([command, { mode, scopes = [] }]) => [command, { mode, scopes }]),
    ),
    policy: {
      ...Object.fromEntries(
        rules.map(([command, rule]) => [command, bridgeRule(rule, everywhere)]),
      ),
      ...unnamed(everywhere),
    },
  };
}

/** @param initial the configurations of a fresh data directory, for what the file does not say */
export function compile(
  config: GatewayConfig,
  initial: { readonly bridge: JsonObject; readonly rs: JsonObject },
  around: Surroundings,
): Compiled {
  const { upstreams, example_tasks: examples = false } = config;
  const named = Object.entries(upstreams);
  const rules = named.flatMap(([name, upstream]) => rulesOf(name, upstream));
  const { approvers, commands, policy } = compileRules(rules, config.approvers);
  const connections = named.map(([name, upstream]) => [name, connectionOf(name, upstream, around)]);
  return {
    vault: { policy: approvers },
    rs: {
      policy: approvers,
      commands: { ...(examples ? (initial.rs['commands'] as JsonObject) : {}), ...commands },
      example_tasks: examples,
      upstreams: Object.fromEntries(connections) as JsonObject,
    },
    bridge: {
      allowlist: ['*'],
      ttl_seconds: config.ttl_seconds ?? 300,
      fallback: config.fallback ?? 'result',
      policy: { ...(examples ? (initial.bridge['policy'] as JsonObject) : {}), ...policy },
      ...(config.oauth === undefined ? {} : { oauth: config.oauth as JsonObject }),
    },
  };
}

/** Every scope a rule names, once. */
export function scopesOf(config: GatewayConfig): readonly string[] {
  const rules = Object.entries(config.upstreams).flatMap(([name, upstream]) =>
    rulesOf(name, upstream),
  );
  return [...new Set(rules.flatMap(([, { scopes = [] }]) => scopes))];
}

function rulesOf(name: string, upstream: Upstream): (readonly [string, Rule])[] {
  const { tools = {}, resources = 'gated', prompts = 'gated' } = upstream;
  const prefix = prefixOf(name, upstream);
  return [
    ...Object.entries(tools).map(([tool, rule]) => [`${prefix}${tool}`, asRule(rule)] as const),
    [resourceCommand(name), asRule(resources)] as const,
    [promptCommand(name), asRule(prompts)] as const,
  ];
}

export function asRule(rule: Rule | Rule['mode']): Rule {
  return typeof rule === 'string' ? { mode: rule } : rule;
}

function bridgeRule(rule: Rule, everywhere: readonly string[] | undefined): JsonObject {
  const { mode, scopes = [], message, ttl_seconds, fallback } = rule;
  return {
    ...{ mode, scopes },
    ...(message === undefined ? {} : { binding_message: message }),
    ...asked(rule.approvers ?? everywhere),
    ...(ttl_seconds === undefined ? {} : { ttl_seconds }),
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** What no line names is gated; it is asked of the same people as everything else. */
function unnamed(everywhere: readonly string[] | undefined): JsonObject {
  const approver = asked(everywhere);
  return Object.keys(approver).length === 0
    ? {}
    : { '*': { mode: 'gated', scopes: [], ...approver } };
}

/** The bridge asks one person: the first. `subject` is what it does by itself. */
function asked(approvers: readonly string[] | undefined): JsonObject {
  const [first] = approvers ?? [];
  return first === undefined || first === 'subject' ? {} : { approver: first };
}

function connectionOf(
  name: string,
  upstream: Upstream,
  { directory, environment }: Surroundings,
): JsonObject {
  const {
    tools,
    resources,
    prompts,
    prefix,
    env,
    headers,
    cwd = '.',
    list_with,
    ...connection
  } = upstream;
  const filled = (values: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, withVariables(value, environment)]),
    );
  const given = Object.entries(connection).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as JsonObject),
    prefix: prefixOf(name, upstream),
    list_with: upstream.list_with ?? LIST_WITH,
    ...(upstream.command === undefined ? {} : { cwd: resolve(directory, cwd) }),
    ...(env === undefined ? {} : { env: filled(env) }),
    ...(headers === undefined ? {} : { headers: filled(headers) }),
  };
}
