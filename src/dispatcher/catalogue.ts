import type { ResourceServerClient } from '../clients/rs-client.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { Surface, ToolDefinition } from '../contract/wire.js';
import { ArgumentChecks } from './argument-checks.js';
import { type Surface as Policy, type ToolPolicy, offered } from './policy.js';
import { promptCommand, resourceCommand, upstreamCommands } from './upstream-commands.js';

export interface OfferedTool {
  readonly definition: ToolDefinition;
  readonly policy: ToolPolicy;
  /** Checks, without changing them. @throws Refusal `MalformedRequest` (layer `dispatcher`) with the path */
  checkArgs(args: JsonObject): void;
}

const FRESH_FOR_MS = 30_000;

/** What the resource server can run and show, seen through the operator's policy. */
export class Catalogue {
  private readonly checks = new ArgumentChecks();
  private cached:
    | {
        readonly at: number;
        readonly commands: ReadonlyMap<string, OfferedTool>;
        readonly surface: Surface;
      }
    | undefined;

  constructor(
    private readonly rs: Pick<ResourceServerClient, 'surface'>,
    private readonly policy: Policy,
    private readonly clock: () => number,
  ) {}

  /** Offered tools in the resource server's order. @throws Refusal `Unavailable` when none were ever learned */
  async list(): Promise<readonly OfferedTool[]> {
    const { surface, commands } = await this.current();
    return surface.tools.flatMap(({ name }) => commands.get(name) ?? []);
  }

  /** A tool, or what reads resources or gets prompts of an upstream. @throws Refusal `UnknownTool`, `Unavailable` */
  async find(command: string): Promise<OfferedTool> {
    const tool = (await this.current()).commands.get(command);
    if (tool === undefined) throw new Refusal('UnknownTool', 'dispatcher');
    return tool;
  }

  /** Upstreams with the resources, templates and prompts the policy offers. @throws Refusal `Unavailable` */
  async surface(): Promise<Surface> {
    return (await this.current()).surface;
  }

  /** The resource server says that something changed. */
  changed(): void {
    if (this.cached !== undefined) this.cached = { ...this.cached, at: -Infinity };
  }

  private async current(): Promise<NonNullable<typeof this.cached>> {
    // An age below 0 means that the clock was set back: then nobody knows.
    const age = this.clock() - (this.cached?.at ?? -Infinity);
    if (this.cached !== undefined && age >= 0 && age < FRESH_FOR_MS) return this.cached;
    try {
      const surface = await this.rs.surface();
      this.cached = { at: this.clock(), ...this.seenThroughPolicy(surface) };
    } catch (error) {
      // A resource server that is down for a moment does not empty the surface; calls then say `Unavailable` themselves.
      if (this.cached === undefined) throw error;
    }
    return this.cached;
  }

  private seenThroughPolicy(surface: Surface): {
    commands: ReadonlyMap<string, OfferedTool>;
    surface: Surface;
  } {
    const commands = new Map<string, OfferedTool>();
    for (const definition of [...surface.tools, ...upstreamCommands(surface.upstreams)]) {
      const policy = offered(this.policy, definition.name);
      if (policy === undefined) continue;
      const checkArgs = this.checks.of(definition);
      commands.set(definition.name, { definition, policy, checkArgs });
    }
    const read = ({ upstream }: { readonly upstream: string }): boolean =>
      commands.has(resourceCommand(upstream));
    const got = ({ upstream }: { readonly upstream: string }): boolean =>
      commands.has(promptCommand(upstream));
    return {
      commands,
      surface: {
        ...surface,
        resources: surface.resources.filter(read),
        resource_templates: surface.resource_templates.filter(read),
        prompts: surface.prompts.filter(got),
      },
    };
  }
}
