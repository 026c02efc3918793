import { type JsonSchemaType, fromJsonSchema } from '@modelcontextprotocol/server';
import type { ResourceServerClient } from '../clients/rs-client.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { ToolDefinition } from '../contract/wire.js';
import { type Surface, type ToolPolicy, offered } from './policy.js';

export interface OfferedTool {
  readonly definition: ToolDefinition;
  readonly policy: ToolPolicy;
  /** Checks, without changing them. @throws Refusal `MalformedRequest` (layer `dispatcher`) with the path */
  checkArgs(args: JsonObject): void;
}

const FRESH_FOR_MS = 30_000;

/** The tools the resource server can run, seen through the operator's policy. */
export class Catalogue {
  private cached:
    { readonly at: number; readonly tools: ReadonlyMap<string, OfferedTool> } | undefined;

  constructor(
    private readonly rs: Pick<ResourceServerClient, 'surface'>,
    private readonly surface: Surface,
    private readonly clock: () => number,
  ) {}

  /** Offered tools in the resource server's order. @throws Refusal `Unavailable` when none were ever learned */
  async list(): Promise<readonly OfferedTool[]> {
    return [...(await this.tools()).values()];
  }

  /** @throws Refusal `UnknownTool`, `Unavailable` */
  async find(name: string): Promise<OfferedTool> {
    const tool = (await this.tools()).get(name);
    if (tool === undefined) throw new Refusal('UnknownTool', 'dispatcher');
    return tool;
  }

  private async tools(): Promise<ReadonlyMap<string, OfferedTool>> {
    // An age below 0 means that the clock was set back: then nobody knows.
    const age = this.clock() - (this.cached?.at ?? -Infinity);
    if (this.cached !== undefined && age >= 0 && age < FRESH_FOR_MS) return this.cached.tools;
    try {
      const { tools } = await this.rs.surface();
      this.cached = { at: this.clock(), tools: this.offeredOf(tools) };
    } catch (error) {
      // A resource server that is down for a moment does not empty the surface; calls then say `Unavailable` themselves.
      if (this.cached === undefined) throw error;
    }
    return this.cached.tools;
  }

  private offeredOf(definitions: readonly ToolDefinition[]): ReadonlyMap<string, OfferedTool> {
    const tools = new Map<string, OfferedTool>();
    for (const definition of definitions) {
      const policy = offered(this.surface, definition.name);
      if (policy !== undefined)
        tools.set(definition.name, { definition, policy, checkArgs: checkerOf(definition) });
    }
    return tools;
  }
}

function checkerOf(definition: ToolDefinition): (args: JsonObject) => void {
  const schema = fromJsonSchema(definition.input_schema as JsonSchemaType);
  return (args) => {
    const checked = schema['~standard'].validate(args);
    if (checked instanceof Promise)
      throw new Refusal('Internal', 'dispatcher', { detail: 'asynchronous schema' });
    const issue = checked.issues?.[0];
    if (issue === undefined) return;
    throw new Refusal('MalformedRequest', 'dispatcher', { path: `args: ${issue.message}` });
  };
}
