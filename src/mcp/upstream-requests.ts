/** Everything but tools that upstream servers offer: resources, prompts, completions, log levels, subscriptions. */
import {
  type CompleteRequest,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ResourceServerClient } from '../clients/rs-client.js';
import { UpstreamError } from '../clients/rs-client.js';
import type { JsonObject } from '../contract/json.js';
import type { RelayRequest, Surface } from '../contract/wire.js';
import type { Catalogue } from '../dispatcher/catalogue.js';
import { refusedBy } from '../dispatcher/outcome.js';
import { promptCommand, resourceCommand } from '../dispatcher/upstream-commands.js';
import type { Connection } from './connection.js';
import { protocolError, refusalError } from './protocol-error.js';
import { type Answer, type CommandPorts, runCommand } from './run-command.js';
import { uriMatchesTemplate } from './uri-template.js';

export interface UpstreamPorts extends CommandPorts {
  readonly catalogue: Pick<Catalogue, 'surface'>;
  readonly rs: Pick<ResourceServerClient, 'relay'>;
}

type Listed = { readonly upstream: string; readonly [member: string]: unknown };

/** An object as its upstream listed it. */
export function asListed<T extends Listed>({ upstream: _, ...listed }: T): Omit<T, 'upstream'> {
  return listed;
}

export async function readResource(
  uri: string,
  ctx: ServerContext,
  connection: Connection,
  ports: UpstreamPorts,
): Promise<JsonObject | InputRequiredResult> {
  const upstream = ownerOf(uri, await ports.catalogue.surface());
  const request = { command: resourceCommand(upstream), args: { uri } };
  return resultOrError(await runCommand(request, ctx, connection, ports));
}

export async function getPrompt(
  params: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, string>> | undefined;
  },
  ctx: ServerContext,
  connection: Connection,
  ports: UpstreamPorts,
): Promise<JsonObject | InputRequiredResult> {
  const { upstream, name } = promptOf(params.name, await ports.catalogue.surface());
  const args = { name, arguments: params.arguments ?? {} };
  const request = { command: promptCommand(upstream), args };
  return resultOrError(await runCommand(request, ctx, connection, ports));
}

/** `ref` names a prompt as we list it, or a resource template. */
export async function complete(
  params: CompleteRequest['params'],
  ctx: ServerContext,
  connection: Connection,
  ports: UpstreamPorts,
): Promise<JsonObject> {
  const surface = await ports.catalogue.surface();
  const { ref } = params;
  const { upstream, ...own } =
    ref.type === 'ref/prompt'
      ? promptOf(ref.name, surface)
      : { upstream: ownerOf(ref.uri, surface) };
  const relayed = { ...params, ref: { ...ref, ...own } } as unknown as JsonObject;
  return relay(
    { upstream, method: 'completion/complete', params: relayed },
    ctx,
    connection,
    ports,
  );
}

export async function subscribe(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  ctx: ServerContext,
  connection: Connection,
  ports: UpstreamPorts,
): Promise<JsonObject> {
  const upstream = ownerOf(uri, await ports.catalogue.surface());
  connection.claim({});
  const answer = await relay({ upstream, method, params: { uri } }, ctx, connection, ports);
  if (method === 'resources/subscribe') connection.listen(ctx);
  return answer;
}

/** Each upstream with a log hears of the level; one that is down hears of it when it is next connected. */
export async function setLevel(
  level: string,
  ctx: ServerContext,
  connection: Connection,
  ports: UpstreamPorts,
): Promise<JsonObject> {
  const { upstreams } = await ports.catalogue.surface();
  connection.claim({ logLevel: level });
  const logging = upstreams.filter(({ capabilities }) => capabilities?.['logging'] !== undefined);
  const told = logging.map(({ name: upstream }) =>
    relay({ upstream, method: 'logging/setLevel', params: { level } }, ctx, connection, ports),
  );
  await Promise.allSettled(told);
  connection.listen(ctx);
  return {};
}

type Relayed = Pick<RelayRequest, 'upstream' | 'method' | 'params'>;

async function relay(
  request: Relayed,
  ctx: ServerContext,
  connection: Connection,
  { rs }: UpstreamPorts,
): Promise<JsonObject> {
  const lane = connection.lane(ctx);
  const from = { caller: connection.caller(ctx), ...(lane === undefined ? {} : { lane }) };
  try {
    return await rs.relay({ ...request, ...from }, undefined, ctx.mcpReq.signal);
  } catch (error) {
    if (error instanceof UpstreamError) throw protocolError(error.rpc);
    throw refusalError(refusedBy(error));
  }
}

function resultOrError(answer: Answer): JsonObject | InputRequiredResult {
  if ('input' in answer) return answer.input;
  if (answer.outcome.kind === 'Success') return answer.outcome.result;
  throw refusalError(answer.outcome);
}

/** The upstream a URI belongs to: who listed it, else whose template it fits, else the only one with resources. */
export function ownerOf(uri: string, surface: Surface): string {
  const { resources, resource_templates, upstreams } = surface;
  const listed = resources.find((resource) => resource.uri === uri);
  if (listed !== undefined) return listed.upstream;
  const fitting = resource_templates.find(
    ({ uriTemplate }) => uriTemplate === uri || uriMatchesTemplate(uri, uriTemplate),
  );
  if (fitting !== undefined) return fitting.upstream;
  const [only, ...others] = upstreams.filter(
    ({ capabilities }) => capabilities?.['resources'] !== undefined,
  );
  if (only !== undefined && others.length === 0) return only.name;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found', { uri });
}

function promptOf(listedName: string, surface: Surface): { upstream: string; name: string } {
  const prompt = surface.prompts.find(({ name }) => name === listedName);
  const owner = surface.upstreams.find(({ name }) => name === prompt?.upstream);
  if (prompt === undefined || owner === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'No such prompt');
  return { upstream: owner.name, name: listedName.slice(owner.prefix.length) };
}
