/** Everything about upstreams, put together once. */
import type { Pins } from '../store/pins.js';
import { Catalogue } from './catalogue.js';
import { Lanes } from './lanes.js';
import type { Upstream } from './offers.js';
import { Offers } from './offers.js';
import type { Host } from './open-connection.js';
import { UpstreamActions } from './upstream-actions.js';
import type { UpstreamConfig } from './upstream-config.js';

export interface UpstreamsParts {
  readonly configs: readonly UpstreamConfig[];
  /** Names of commands that are not theirs to have. */
  readonly taken: ReadonlySet<string>;
  readonly pins: Pins;
  readonly host: Host;
  /** Called when something that is listed has changed. */
  readonly onChange: () => void;
  readonly reportError: (error: unknown) => void;
}

/** How soon it shows that an operator's command in another process accepted a definition; calls see it at once. */
const LOOK_EVERY_MS = 1000;

/** The upstreams begin to connect in the background. */
export function openUpstreams(parts: UpstreamsParts) {
  const { configs, pins, host, onChange, taken } = parts;
  const upstreams: readonly Upstream[] = configs.map((config) => ({
    config,
    catalogue: new Catalogue({ ...parts, upstream: config }),
  }));
  const offers = new Offers(upstreams, pins, taken);
  const lanes = new Lanes(host, ({ name }) => offers.upstream(name)?.catalogue.verdict);
  const watch = setInterval(watchPins(pins, onChange), LOOK_EVERY_MS).unref();
  // Not before everybody who hears of it is there.
  setImmediate(() => {
    for (const { catalogue } of upstreams) catalogue.start();
  });
  const close = async () => {
    clearInterval(watch);
    await Promise.all([lanes.close(), ...upstreams.map(({ catalogue }) => catalogue.stop())]);
  };
  return { offers, lanes, actions: new UpstreamActions(offers, lanes, host), close };
}

function watchPins(pins: Pins, onChange: () => void): () => void {
  const state = () =>
    pins.all().map(({ tool, accepted, changed }) => [tool, accepted.digest, changed?.digest]);
  let version = pins.version;
  let before = JSON.stringify(state());
  return () => {
    if (pins.version === version) return;
    version = pins.version;
    const now = JSON.stringify(state());
    if (now !== before) onChange();
    before = now;
  };
}
