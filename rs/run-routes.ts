/** The routes on which something runs or is said while it runs: execute, relay, events, and the answers to asks. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../src/contract/errors.js';
import { problemOf } from '../src/contract/errors.js';
import { deepFreeze } from '../src/contract/json.js';
import type { AskAnswer, ExecuteRequest, RunEvent } from '../src/contract/wire.js';
import { askAnswer, eventsRequest, executeRequest, relayRequest } from '../src/contract/wire.js';
import type { Sender } from './actions/actions.js';
import type { Asks } from './asks.js';
import { execute } from './execute.js';
import { LineAnswer, LINES } from './line-answer.js';
import { readAs } from './read-body.js';
import type { ResourceServer } from './resource-server.js';
import type { SurfaceFeed } from './surface-feed.js';
import { NOBODY } from './upstream/connection-peer.js';
import type { ConnectionPeer } from './upstream/connection-peer.js';
import type { Lanes } from './upstream/lanes.js';
import type { RelayParts } from './upstream/relay.js';
import { relay } from './upstream/relay.js';
import { UpstreamFailure } from './upstream/upstream-failure.js';

export interface RunRoutes {
  readonly rs: ResourceServer;
  readonly asks: Asks;
  readonly lanes: Lanes;
  readonly relayed: RelayParts;
  readonly surface: SurfaceFeed;
  /** Authenticates before the body is read. */
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
  readonly serviceOf: (request: FastifyRequest) => string;
  readonly asRefusal: (error: unknown) => Refusal;
  /** Keeps a refused call in the record. */
  readonly recordRefusal: (error: unknown, call: ExecuteRequest, service: string) => Promise<void>;
}

export function addRunRoutes(app: FastifyInstance, routes: RunRoutes): void {
  const { rs, asks, onRequest, serviceOf, surface } = routes;

  app.post('/v1/execute', { onRequest }, async (request, reply) => {
    const service = serviceOf(request);
    const call: ExecuteRequest = readAs(executeRequest, request.body);
    deepFreeze(call.args);
    return answer(request, reply, routes, async (sender): Promise<RunEvent> => {
      try {
        return { kind: 'outcome', outcome: await execute(call, sender, rs) };
      } catch (error) {
        await routes.recordRefusal(error, call, service);
        throw error;
      }
    });
  });

  app.post('/v1/relay', { onRequest }, (request, reply) => {
    const asked = readAs(relayRequest, request.body);
    return answer(request, reply, routes, async (sender): Promise<RunEvent> => {
      try {
        return { kind: 'result', result: await relay(asked, sender, routes.relayed) };
      } catch (error) {
        if (!(error instanceof UpstreamFailure) || error.rpc === undefined) throw error;
        return { kind: 'error', error: error.rpc };
      }
    });
  });

  app.post<{ Params: { id: string } }>('/v1/asks/:id', { onRequest }, async (request, reply) => {
    const given: AskAnswer = readAs<AskAnswer>(askAnswer, request.body);
    asks.answer(request.params.id, serviceOf(request), given);
    return reply.code(204).send();
  });

  const listeners = new Set<LineAnswer>();
  app.addHook('preClose', (done) => {
    for (const lines of listeners) void lines.close();
    done();
  });
  app.post('/v1/events', { onRequest }, async (request, reply) => {
    const { caller, lane } = readAs(eventsRequest, request.body);
    const service = serviceOf(request);
    const lines = new LineAnswer(reply);
    const stop =
      caller === undefined || lane === undefined
        ? surface.listen((revision) => lines.send({ kind: 'surface', revision }))
        : routes.lanes.listen({ service, caller, lane }, peerOn(lines, service, asks));
    listeners.add(lines);
    if (lane === undefined) lines.send({ kind: 'surface', revision: surface.revision });
    else lines.begin();
    reply.raw.once('close', () => {
      listeners.delete(lines);
      stop();
    });
  });
}

/** Answers in lines if that is accepted; else with the outcome alone, and then nobody can be asked meanwhile. */
async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { asks, serviceOf, asRefusal }: RunRoutes,
  run: (sender: Sender) => Promise<RunEvent>,
): Promise<unknown> {
  const service = serviceOf(request);
  const lines = new LineAnswer(reply);
  if (request.headers.accept !== LINES) {
    const event = await run({ service, peer: NOBODY, signal: lines.gone });
    return 'outcome' in event ? event.outcome : event;
  }
  try {
    const last = await run({ service, peer: peerOn(lines, service, asks), signal: lines.gone });
    await lines.end(last);
  } catch (error) {
    if (!lines.hasBegun) throw error;
    await lines.end({ kind: 'problem', problem: { ...problemOf(asRefusal(error)) } });
  }
  return reply;
}

function peerOn(lines: LineAnswer, service: string, asks: Asks): ConnectionPeer {
  return {
    notify: (method, params) => lines.send({ kind: 'notification', method, params }),
    ask: (method, params, signal, round) => {
      const about = { method, params, ...(round === undefined ? {} : { round }) };
      const put = (id: string): void => lines.send({ kind: 'ask', id, ...about });
      return asks.ask(service, put, [signal, lines.gone]);
    },
  };
}
