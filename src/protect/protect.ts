import type { McpServer } from '@modelcontextprotocol/server';
import { randomBytes } from 'node:crypto';
import { isJsonObject } from '../contract/json.js';
import { caller as callerShape } from '../contract/wire.js';
import { mostSpecific } from '../contract/patterns.js';
import { ParkedRuns } from '../mcp/parked-runs.js';
import { callStateCodec } from '../mcp/request-state.js';
import { type CommandPorts, runCommand } from '../mcp/run-command.js';
import { toolResult } from '../mcp/tool-result.js';
import { connectionTo, type ServerContext } from './connection-to.js';
import { contextOf } from './context.js';
import { openProtection } from './open-protection.js';
import type { Mode, ProtectOptions, ToolRule } from './options.js';
import { ToolActions } from './tool-actions.js';

/** An `McpServer` of either line, as far as it is used here. */
export type ProtectableServer = Pick<McpServer, 'server'> & { readonly registerTool: unknown };

export interface Protected {
  /** Ends vault and consent page and closes the stores. Calls under way are answered first. */
  close(): Promise<void>;
}

const WAIT_SECONDS = 25;
const STATE_TTL_S = 660;

/**
 * Gates the tools of an MCP server of your own: a gated tool's code runs only with a person's signature over exactly its
 * arguments, once. Call it before the tools are registered with `registerTool`.
 *
 * Vault and consent page are started as processes of their own on `options.data`; the resource server's checks run in
 * this process, right before the tool's code. So who takes over this process can call that code directly: the gateway
 * (`bridge up --config`) is for tools that must hold even then.
 *
 * @param server an `McpServer` of `@modelcontextprotocol/server` (2.x) or `@modelcontextprotocol/sdk` (1.x)
 * @throws Error in one line when vault or consent page cannot start
 */
export async function protect(
  server: ProtectableServer,
  options: ProtectOptions<ServerContext>,
): Promise<Protected> {
  const actions = new ToolActions<unknown>();
  const { core, ttlSeconds, close } = await openProtection(options, actions);
  const stopping = new AbortController();
  const callerOf = (context: ServerContext) =>
    callerShape.parse(
      typeof options.caller === 'function' ? options.caller(context) : options.caller,
    );
  const ports: CommandPorts = {
    dispatcher: core.dispatcher,
    codec: callStateCodec(core.gateKey ?? randomBytes(32), STATE_TTL_S, callerOf),
    parked: new ParkedRuns(),
    fallback: 'result',
    waitSeconds: WAIT_SECONDS,
    ttlSeconds,
    stopping: stopping.signal,
  };
  const rules = new Map(Object.entries(options.tools));
  const connection = connectionTo(server, callerOf, core.announcements);

  const registerTool = Reflect.get(server, 'registerTool') as Register;
  const register: Register = (...tool) => registerTool.call(server, ...tool);
  const registerGuarded: Register = (name, config, handler) => {
    const rule = ruleOf(rules, name);
    if (rule.mode === 'open' && (rule.scopes ?? []).length === 0)
      return register(name, config, handler);
    const takesArgs = config['inputSchema'] !== undefined;
    actions.register(definitionOf(name, config), (args, context) =>
      takesArgs ? handler(args, context) : handler(context),
    );
    core.catalogue.changed();
    const guarded = async (...given: readonly unknown[]): Promise<unknown> => {
      const own = given.at(-1);
      const { context, inTheirWords } = contextOf(own);
      const request = { command: name, args: takesArgs ? given[0] : {}, fallback: rule.fallback };
      const call = () => runCommand(request, context, connection, ports);
      const answer = await inTheirWords(actions.within(own, call));
      return 'input' in answer
        ? answer.input
        : toolResult(answer.outcome, config['outputSchema'] === undefined);
    };
    const registered = register(name, config, guarded);
    if (rule.mode === 'denied') registered.disable();
    return registered;
  };
  Object.assign(server, { registerTool: registerGuarded });

  return {
    close: async () => {
      stopping.abort();
      ports.parked.close();
      core.announcements.close();
      await close();
    },
  };
}

type Config = Readonly<Record<string, unknown>>;
type Callback = (...given: readonly unknown[]) => unknown;
type Register = (
  this: unknown,
  name: string,
  config: Config,
  handler: Callback,
) => { disable(): void };

function ruleOf(rules: ReadonlyMap<string, Mode | ToolRule>, tool: string): ToolRule {
  const rule = mostSpecific(rules, tool) ?? 'gated';
  return typeof rule === 'string' ? { mode: rule } : rule;
}

/** What the approver is shown of a tool. */
function definitionOf(name: string, { title, description, annotations }: Config) {
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    input_schema: { type: 'object' },
    upstream: 'this server',
  };
}
