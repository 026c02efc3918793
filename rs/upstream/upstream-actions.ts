/** What upstreams can do, behind the resource server: reachable only with a ConsumedAction or an OpenAction. */
import type { JsonSchemaValidator } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { ExecuteRequest } from '../../src/contract/wire.js';
import type { ActionOutcome, Actions, Sender } from '../actions/actions.js';
import { readAs } from '../read-body.js';
import type { ConsumedAction, OpenAction } from '../states.js';
import type { Definition } from '../store/pins.js';
import type { Connection } from './connection.js';
import type { Lanes } from './lanes.js';
import type { Host } from './open-connection.js';
import type { Offers, Target } from './offers.js';
import { failed, outcomeOf } from './outcome.js';
import { callOf } from './call.js';
import { RateLimit } from './rate-limit.js';
import { checkArguments, compileSchema } from './tool-schema.js';
import { UpstreamFailure } from './upstream-failure.js';

const PROGRESS_PER_SECOND = 100;
const MAX_COMPILED = 2000;

const INPUT = {
  'resources/read': z.strictObject({ args: z.strictObject({ uri: z.string().max(8192) }) }),
  'prompts/get': z.strictObject({
    args: z.strictObject({
      name: z.string().max(1024),
      arguments: z.record(z.string(), z.string()),
    }),
  }),
};

export class UpstreamActions implements Actions {
  /** By digest of the definition. */
  readonly #compiled = new Map<string, JsonSchemaValidator<unknown>>();

  constructor(
    private readonly offers: Offers,
    private readonly lanes: Lanes,
    private readonly host: Host,
  ) {}

  has(command: string): Promise<boolean> {
    return this.offers.known(command);
  }

  isChanged(command: string): boolean {
    const target = this.#target(command);
    return target.method === 'tools/call' && target.pin.changed !== undefined;
  }

  checkInput(command: string, args: JsonObject): void {
    const target = this.#target(command);
    if (target.method === 'tools/call') checkArguments(this.#validator(target.pin.accepted), args);
    else readAs<unknown>(INPUT[target.method], { args });
  }

  async ready(request: ExecuteRequest, service: string): Promise<void> {
    await this.#connect(this.#target(request.command), request, service);
  }

  async run(action: ConsumedAction | OpenAction, sender: Sender): Promise<ActionOutcome> {
    const { request } = action.facts;
    const isOpen = action.check === 'open';
    const target = this.#target(request.command);
    try {
      const { seat, connection } = await this.#connect(target, request, sender.service);
      return await seat.during(sender.peer, () =>
        this.#call({ target, request, connection, sender, isOpen }),
      );
    } catch (error) {
      // A credential is spent by now, and it is known that nothing was done.
      if (isOpen || !(error instanceof Refusal)) throw error;
      return failed('The upstream could not be reached; nothing was done.');
    }
  }

  async #call(run: {
    readonly target: Target;
    readonly request: ExecuteRequest;
    readonly connection: Connection;
    readonly sender: Sender;
    readonly isOpen: boolean;
  }): Promise<ActionOutcome> {
    const { target, request, connection, sender, isOpen } = run;
    const { callTimeoutMs, maxCallMs } = target.upstream.config;
    const rate = new RateLimit(PROGRESS_PER_SECOND, this.host.clock);
    const onProgress = (params: JsonObject) => {
      if (rate.take()) sender.peer.notify('notifications/progress', params);
    };
    try {
      const result = await connection.request({
        ...callOf(target, request, isOpen),
        timeoutMs: callTimeoutMs,
        maxMs: maxCallMs,
        signal: isOpen ? sender.signal : undefined,
        onProgress: request.progress === true ? onProgress : undefined,
      });
      return outcomeOf(target.method, result);
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      if (isOpen && error.kind === 'unreached')
        throw new Refusal('Unavailable', 'rs', { detail: error.message });
      // Whoever spent a human's signature is told that nobody knows, not that it failed.
      if (!isOpen && error.kind === 'lost') throw error;
      return failed(`The upstream gave no result: ${error.message}`, error.rpc);
    }
  }

  /** @throws Refusal Unavailable, RateLimited */
  async #connect({ upstream }: Target, { caller, lane }: ExecuteRequest, service: string) {
    const { catalogue, config } = upstream;
    // While it is down nobody can say whether its tools are still what they were.
    await catalogue.attempted();
    if (catalogue.state !== 'ready') {
      throw new Refusal('Unavailable', 'rs', {
        detail: `upstream ${config.name}: ${catalogue.detail ?? ''}`,
      });
    }
    const seat = this.lanes.seat({ service, caller, lane }, config);
    return { seat, connection: await seat.connect(lane?.log_level) };
  }

  #target(command: string): Target {
    const target = this.offers.target(command);
    if (target === undefined) throw new Refusal('UnknownTool', 'rs');
    return target;
  }

  #validator({ digest, definition }: Definition): JsonSchemaValidator<unknown> {
    const known = this.#compiled.get(digest);
    if (known !== undefined) return known;
    if (this.#compiled.size >= MAX_COMPILED) this.#compiled.clear();
    const schema = definition['input_schema'];
    const validator = compileSchema(isJsonObject(schema) ? schema : {});
    this.#compiled.set(digest, validator);
    return validator;
  }
}
