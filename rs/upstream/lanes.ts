/** The lanes: for each client its own connections, so that an upstream cannot mix up whom it talks to. */
import type { ClientCapabilities, PriorDiscovery } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import type { Caller, Lane } from '../../src/contract/wire.js';
import type { ConnectionPeer } from './connection-peer.js';
import type { Host } from './open-connection.js';
import { Seat } from './seat.js';
import type { UpstreamConfig } from './upstream-config.js';

/** Whose lane, and what its client can be asked. */
export interface LaneOwner {
  /** The authenticated service: what two services call a lane are two lanes. */
  readonly service: string;
  readonly caller: Caller;
  readonly lane: Lane | undefined;
}

interface OpenLane {
  readonly listeners: Set<ConnectionPeer>;
  readonly seats: Map<string, Seat>;
}

const SELF = { name: 'consent-bridge', version: '0' };

/** Of what a client can do this is what an upstream may use. Changes of roots have no way to it, so none are promised. */
const offered = z
  .object({
    sampling: z.looseObject({}).optional(),
    elicitation: z.looseObject({}).optional(),
    roots: z.object({}).optional(),
  })
  .transform(
    (members): ClientCapabilities => JSON.parse(JSON.stringify(members)) as ClientCapabilities,
  )
  .catch({});

export class Lanes {
  readonly #lanes = new Map<string, OpenLane>();

  constructor(
    private readonly host: Host,
    private readonly verdictOf: (upstream: UpstreamConfig) => PriorDiscovery | undefined,
  ) {}

  /** @throws Refusal RateLimited if too many lanes are in use at this upstream */
  seat(owner: LaneOwner, upstream: UpstreamConfig): Seat {
    const key = keyOf(owner);
    const lane = this.#lane(key);
    const existing = lane.seats.get(upstream.name);
    if (existing !== undefined) return existing;
    this.#makeRoom(upstream);
    const leave = () => this.#leave(key, upstream.name);
    const seat = new Seat({
      upstream,
      info: owner.lane?.client ?? SELF,
      capabilities: offered.parse(owner.lane?.capabilities ?? {}),
      host: this.host,
      verdict: () => this.verdictOf(upstream),
      listeners: lane.listeners,
      onIdle: leave,
    });
    lane.seats.set(upstream.name, seat);
    return seat;
  }

  /** Lets `listener` hear what belongs to no run, until the returned function is called. */
  listen(owner: LaneOwner, listener: ConnectionPeer): () => void {
    const key = keyOf(owner);
    const lane = this.#lane(key);
    lane.listeners.add(listener);
    return () => {
      lane.listeners.delete(listener);
      this.#forgetEmpty(key, lane);
    };
  }

  async close(): Promise<void> {
    const seats = [...this.#lanes.values()].flatMap((lane) => [...lane.seats.values()]);
    this.#lanes.clear();
    await Promise.all(seats.map((seat) => seat.close()));
  }

  #lane(key: string): OpenLane {
    const lane = this.#lanes.get(key) ?? { listeners: new Set(), seats: new Map() };
    this.#lanes.set(key, lane);
    return lane;
  }

  #makeRoom({ name, maxLanes }: UpstreamConfig): void {
    const taken = [...this.#lanes].filter(([, { seats }]) => seats.has(name));
    if (taken.length < maxLanes) return;
    const idle = taken.find(([, { seats }]) => seats.get(name)?.isBusy === false);
    if (idle === undefined) {
      throw new Refusal('RateLimited', 'rs', {
        detail: `upstream ${name}: ${maxLanes} lanes are busy`,
      });
    }
    this.#leave(idle[0], name);
  }

  #leave(key: string, upstream: string): void {
    const lane = this.#lanes.get(key);
    const seat = lane?.seats.get(upstream);
    if (lane === undefined || seat === undefined) return;
    lane.seats.delete(upstream);
    this.#forgetEmpty(key, lane);
    void seat.close();
  }

  #forgetEmpty(key: string, lane: OpenLane): void {
    if (lane.seats.size + lane.listeners.size === 0 && this.#lanes.get(key) === lane)
      this.#lanes.delete(key);
  }
}

/** Different texts for different lanes; the level of logging may change within one. */
function keyOf({ service, caller, lane }: LaneOwner): string {
  return lane === undefined
    ? JSON.stringify([service, 'caller', caller.subject, caller.client_id])
    : JSON.stringify([
        service,
        'lane',
        lane.id,
        lane.client ?? null,
        lane.capabilities,
        caller.subject,
        caller.client_id,
      ]);
}
