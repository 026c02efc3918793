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

/** Where the file stands, for paths in it, and the variables it may refer to. */
export interface Surroundings {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** @param initial the configurations of a fresh data directory, for what the file does not say */
export function compile(
  config: GatewayConfig,
  initial: { readonly bridge: JsonObject; readonly rs: JsonObject },
  { directory, environment }: Surroundings,
): Compiled {
  const rules = Object.entries(config.upstreams).flatMap(([name, upstream]) =>
    rulesOf(name, upstream),
  );
  const examples = config.example_tasks === true;
  const policy = {
    default: config.approvers ?? ['subject'],
    commands: Object.fromEntries(
      rules.flatMap(([command, { approvers }]) =>
        approvers === undefined ? [] : [[command, approvers] as const],
      ),
    ),
  };
  const [bridgeExamples, rsExamples] = [initial.bridge['policy'], initial.rs['commands']];
  return {
    vault: { policy },
    rs: {
      policy,
      commands: {
        ...(examples ? (rsExamples as JsonObject) : {}),
        ...Object.fromEntries(
          rules.map(([command, { mode, scopes = [] }]) => [command, { mode, scopes }]),
        ),
      },
      example_tasks: examples,
      upstreams: Object.fromEntries(
        Object.entries(config.upstreams).map(([name, upstream]) => [
          name,
          connectionOf(name, upstream, { directory, environment }),
        ]),
      ),
    },
    bridge: {
      allowlist: ['*'],
      ttl_seconds: config.ttl_seconds ?? 300,
      fallback: config.fallback ?? 'result',
      policy: {
        ...(examples ? (bridgeExamples as JsonObject) : {}),
        ...Object.fromEntries(
          rules.map(([command, rule]) => [command, bridgeRule(rule, config.approvers)]),
        ),
        ...unnamed(config.approvers),
      },
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

function asRule(rule: Rule | Rule['mode']): Rule {
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
  const { tools, resources, prompts, prefix, env, headers, cwd = '.', ...connection } = upstream;
  const filled = (values: Readonly<Record<string, string>>): JsonObject =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, withVariables(value, environment)]),
    );
  const given = Object.entries(connection).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as JsonObject),
    prefix: prefixOf(name, upstream),
    ...(upstream.command === undefined ? {} : { cwd: resolve(directory, cwd) }),
    ...(env === undefined ? {} : { env: filled(env) }),
    ...(headers === undefined ? {} : { headers: filled(headers) }),
  };
}
