/** What an operator does about tool definitions: list them, see what changed, accept it. A running server sees it at once. */
import type { JsonValue } from '../src/contract/json.js';
import type { Clock } from './clock.js';
import { readConfig } from './config.js';
import { definitionDiff } from './definition-diff.js';
import type { Pin } from './store/pins.js';
import { openDomainStores } from './store/domain-stores.js';

export interface PinnedTool {
  /** The command it is, with the prefix of its upstream. */
  readonly name: string;
  readonly upstream: string;
  /** The upstream's own name of it. */
  readonly tool: string;
  readonly state: 'accepted' | 'changed';
  readonly digest: string;
  /** Of what the upstream says now, if that is something else. */
  readonly changed_digest?: string;
  /** POSIX seconds. */
  readonly accepted_at: number;
  /** MCP annotations of the accepted definition: the upstream's own claims. */
  readonly annotations?: JsonValue;
}

/** Every tool ever seen. */
export function listTools(dataDir: string, clock: Clock): PinnedTool[] {
  return withPins(dataDir, clock, (pins) => pins.map(([name, pin]) => describe(name, pin)));
}

/** @param tool only this one. @returns unified diffs, as text that is safe to print */
export function diffTools(dataDir: string, clock: Clock, tool: string | undefined): string[] {
  return withPins(dataDir, clock, (pins) =>
    pins
      .filter(([name, { changed }]) => changed !== undefined && (tool ?? name) === name)
      .map(([, pin]) => definitionDiff(pin)),
  );
}

/**
 * Accepts what the upstream says now.
 * @param which with `digest` only that very change, as the diff named it
 * @returns the commands that were changed until now
 */
export async function acceptTools(
  dataDir: string,
  clock: Clock,
  which: { readonly tool?: string; readonly all?: boolean; readonly digest?: string },
): Promise<string[]> {
  const stores = openDomainStores(dataDir, clock);
  try {
    const nameOf = namesIn(dataDir);
    const changed = stores.pins.all().filter((pin) => pin.changed !== undefined);
    const named = changed.filter((pin) => which.all === true || nameOf(pin) === which.tool);
    const read = named.filter(
      (pin) => (which.digest ?? pin.changed?.digest) === pin.changed?.digest,
    );
    return (await stores.pins.accept(read)).map(nameOf);
  } finally {
    stores.close();
  }
}

function withPins<T>(
  dataDir: string,
  clock: Clock,
  act: (pins: (readonly [name: string, pin: Pin])[]) => T,
): T {
  const stores = openDomainStores(dataDir, clock);
  try {
    const nameOf = namesIn(dataDir);
    return act(stores.pins.all().map((pin) => [nameOf(pin), pin]));
  } finally {
    stores.close();
  }
}

/** Of an upstream that is no longer configured it is the default prefix. */
function namesIn(dataDir: string): (pin: Pin) => string {
  const { upstreams } = readConfig(dataDir);
  const prefixes = new Map(upstreams.map(({ name, prefix }) => [name, prefix]));
  return ({ upstream, tool }) => (prefixes.get(upstream) ?? `${upstream}__`) + tool;
}

function describe(
  name: string,
  { upstream, tool, accepted, acceptedAt, changed }: Pin,
): PinnedTool {
  const { annotations } = accepted.definition;
  return {
    name,
    upstream,
    tool,
    state: changed === undefined ? 'accepted' : 'changed',
    digest: accepted.digest,
    ...(changed === undefined ? {} : { changed_digest: changed.digest }),
    accepted_at: acceptedAt,
    ...(annotations === undefined ? {} : { annotations }),
  };
}
