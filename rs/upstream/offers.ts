/** Everything the upstreams offer, and which of them a command belongs to. */
import { Refusal } from '../../src/contract/errors.js';
import type { Surface, ToolDefinition } from '../../src/contract/wire.js';
import { toolDefinition } from '../../src/contract/wire.js';
import type { Pin, Pins } from '../store/pins.js';
import type { Catalogue } from './catalogue.js';
import type { ListedTool } from './tool-intake.js';
import type { UpstreamConfig } from './upstream-config.js';

export interface Upstream {
  readonly config: UpstreamConfig;
  readonly catalogue: Catalogue;
}

/** What a command does at which upstream. */
export type Target =
  | { readonly method: 'tools/call'; readonly upstream: Upstream; readonly pin: Pin }
  | { readonly method: 'resources/read' | 'prompts/get'; readonly upstream: Upstream };

const METHODS = [
  { method: 'resources/read', capability: 'resources' },
  { method: 'prompts/get', capability: 'prompts' },
] as const;

export class Offers {
  constructor(
    private readonly upstreams: readonly Upstream[],
    private readonly pins: Pins,
    /** Names that are taken already. */
    private readonly taken: ReadonlySet<string>,
  ) {}

  upstream(name: string): Upstream | undefined {
    return this.upstreams.find(({ config }) => config.name === name);
  }

  /**
   * Waits for the upstreams that could have the command, if they are starting or down.
   * @throws Refusal Unavailable if one of them has not been listed and none of the others has it
   */
  async known(command: string): Promise<boolean> {
    const possible = this.upstreams.filter(({ config }) => couldHave(config, command));
    const unlisted = possible.filter(({ catalogue }) => catalogue.offer === undefined);
    await Promise.all(unlisted.map(({ catalogue }) => catalogue.attempted()));
    if (this.target(command) !== undefined) return true;
    const silent = possible.find(({ catalogue }) => catalogue.offer === undefined);
    if (silent === undefined) return false;
    const detail = `upstream ${silent.config.name}: ${silent.catalogue.detail ?? ''}`;
    throw new Refusal('Unavailable', 'rs', { detail });
  }

  /** Only what has been listed: a definition this server has not seen since it started may have changed. */
  target(command: string): Target | undefined {
    for (const upstream of this.upstreams) {
      const { config, catalogue } = upstream;
      for (const { method, capability } of METHODS) {
        const offered = Object.hasOwn(catalogue.offer?.capabilities ?? {}, capability);
        if (offered && command === `${config.name}:${method}`) return { method, upstream };
      }
      const tool = command.startsWith(config.prefix) ? command.slice(config.prefix.length) : '';
      const pin = catalogue.offer?.tools.has(tool) ? this.pins.get(config.name, tool) : undefined;
      if (pin !== undefined) return { method: 'tools/call', upstream, pin };
    }
    return undefined;
  }

  /** Lists everything. What upstreams offered before this server started is shown until they are listed again. */
  surface(): Omit<Surface, 'revision'> {
    const names = new Set(this.taken);
    const uris = new Set<string>();
    const offers = this.upstreams.map((upstream) => ({
      upstream,
      offer: upstream.catalogue.offer,
    }));
    return {
      tools: this.upstreams.flatMap((upstream) =>
        this.#tools(upstream).filter(({ name }) => isNew(name, names)),
      ),
      resources: offers.flatMap(({ upstream, offer }) =>
        (offer?.resources ?? []).flatMap(({ uri, ...rest }) =>
          typeof uri === 'string' && isNew(uri, uris)
            ? [{ ...rest, uri, upstream: upstream.config.name }]
            : [],
        ),
      ),
      resource_templates: offers.flatMap(({ upstream, offer }) =>
        (offer?.templates ?? []).flatMap(({ uriTemplate, ...rest }) =>
          typeof uriTemplate === 'string'
            ? [{ ...rest, uriTemplate, upstream: upstream.config.name }]
            : [],
        ),
      ),
      prompts: offers.flatMap(({ upstream: { config }, offer }) =>
        (offer?.prompts ?? []).flatMap(({ name, ...rest }) =>
          typeof name === 'string'
            ? [{ ...rest, name: config.prefix + name, upstream: config.name }]
            : [],
        ),
      ),
      upstreams: this.upstreams.map(stateOf),
    };
  }

  /** In the upstream's own order, as far as it is known. */
  #tools({ config, catalogue }: Upstream): ToolDefinition[] {
    const { offer } = catalogue;
    const pins = new Map(this.pins.of(config.name).map((pin) => [pin.tool, pin]));
    return [...(offer?.tools ?? pins).keys()].flatMap((tool) => {
      const pin = pins.get(tool);
      return pin === undefined ? [] : [definitionOf(config, pin, offer?.tools.get(tool))];
    });
  }
}

function couldHave({ name, prefix }: UpstreamConfig, command: string): boolean {
  return (
    command.startsWith(prefix) || METHODS.some(({ method }) => command === `${name}:${method}`)
  );
}

function isNew(name: string, names: Set<string>): boolean {
  return !names.has(name) && names.add(name).has(name);
}

/** The accepted definition under the name of the command. */
function definitionOf(
  config: UpstreamConfig,
  pin: Pin,
  live: ListedTool | undefined,
): ToolDefinition {
  const more = pin.changed === undefined ? live?.more : undefined;
  return toolDefinition.parse({
    ...pin.accepted.definition,
    name: config.prefix + pin.tool,
    ...(more === undefined ? {} : { more }),
    digest: pin.accepted.digest,
    upstream: config.name,
    ...(pin.changed === undefined ? {} : { blocked: true }),
  });
}

function stateOf({ config, catalogue }: Upstream): Surface['upstreams'][number] {
  const { state, detail, offer } = catalogue;
  return {
    name: config.name,
    state,
    prefix: config.prefix,
    ...(detail === undefined ? {} : { detail }),
    ...(offer === undefined ? {} : { capabilities: offer.capabilities }),
    ...(offer?.instructions === undefined ? {} : { instructions: offer.instructions }),
    ...(offer?.server === undefined ? {} : { server: offer.server }),
  };
}
