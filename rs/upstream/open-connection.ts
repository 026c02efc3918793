/** Connects to an upstream: starts the child or calls the URL, finds out its protocol era, shakes hands. */
import type { ClientCapabilities, PriorDiscovery, Transport } from '@modelcontextprotocol/client';
import { Client, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Clock } from '../clock.js';
import { childEnvironment } from './child-environment.js';
import { childStderr } from './child-stderr.js';
import { Connection } from './connection.js';
import type { ConnectionPeer } from './connection-peer.js';
import { HttpTransport } from './http-transport.js';
import { StdioTransport } from './stdio-transport.js';
import type { UpstreamConfig } from './upstream-config.js';
import { UpstreamFailure } from './upstream-failure.js';

/** What connections take of this process. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** One line for this server's stderr. */
  readonly print: (line: string) => void;
}

export interface ClientSide {
  /** Who this server says it is, for the client behind it. */
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: ClientCapabilities;
  /** Who hears and answers from now on. */
  readonly peer: () => ConnectionPeer;
}

export interface Opening {
  /** The era of the server if it is known already. */
  readonly verdict: PriorDiscovery | undefined;
  /** Ends the attempt. */
  readonly stop: AbortSignal;
}

type BoundedTransport = StdioTransport | HttpTransport;

/** A server of an older era may not answer what it does not know. */
const PROBE_MS = 5000;
const LATE = 'it did not answer in time';

/**
 * @throws UpstreamFailure `unreached` with the reason, after `startTimeoutMs` at most
 */
export async function openConnection(
  upstream: UpstreamConfig,
  side: ClientSide,
  host: Host,
  { verdict, stop }: Opening,
): Promise<Connection> {
  const until = AbortSignal.any([AbortSignal.timeout(upstream.startTimeoutMs), stop]);
  try {
    return await connect(upstream, side, host, { verdict, until });
  } catch (error) {
    // Servers that end at the first word they do not know get the words of their own era.
    if (verdict === undefined && endedAtProbe(error)) {
      return connect(upstream, side, host, { verdict: { kind: 'legacy' }, until });
    }
    throw error;
  }
}

interface Attempt {
  readonly verdict: PriorDiscovery | undefined;
  readonly until: AbortSignal;
}

async function connect(
  upstream: UpstreamConfig,
  side: ClientSide,
  host: Host,
  { verdict, until }: Attempt,
): Promise<Connection> {
  const transport = transportTo(upstream, host);
  const client = new Client(side.info, {
    capabilities: side.capabilities,
    versionNegotiation: {
      mode: 'auto',
      probe: { timeoutMs: Math.min(PROBE_MS, upstream.startTimeoutMs) },
    },
  });
  const ended = new Promise<string>((resolve) => {
    client.onclose = () => resolve(transport.reason ?? 'closed');
  });
  const connection = new Connection(client, side.capabilities, side.peer, ended);
  client.onerror = () => undefined;
  client.fallbackNotificationHandler = ({ method, params }) => {
    connection.heard(method, params);
    return Promise.resolve();
  };
  client.fallbackRequestHandler = ({ method, params }, { mcpReq }) =>
    connection.asked(method, params, mcpReq.signal);
  const giveUp = new Promise<never>((_, reject) => {
    until.addEventListener('abort', () => reject(new Error(LATE)), { once: true });
  });
  try {
    const options = { timeout: upstream.startTimeoutMs, ...(verdict ? { prior: verdict } : {}) };
    await Promise.race([client.connect(transport, options), giveUp]);
    return connection;
  } catch (error) {
    const reason = isLate(error, until) ? LATE : reasonOf(error, transport);
    await transport.close();
    throw new UpstreamFailure('unreached', reason, undefined, { cause: error });
  }
}

function transportTo(
  { name, target, maxResultBytes }: UpstreamConfig,
  host: Host,
): BoundedTransport & Transport {
  if (target.kind === 'http') return new HttpTransport(target, maxResultBytes);
  return new StdioTransport({
    target,
    env: childEnvironment(host.env, target.env),
    maxLineBytes: maxResultBytes,
    onStderr: childStderr(name, host.clock, host.print),
  });
}

function endedAtProbe(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return (
    cause instanceof SdkError &&
    cause.code === SdkErrorCode.EraNegotiationFailed &&
    /closed/.test(cause.message)
  );
}

function isLate(error: unknown, until: AbortSignal): boolean {
  return until.aborted || (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout);
}

/** Never a URL or a header: details of upstreams are shown to operators and agents. */
function reasonOf(error: unknown, transport: BoundedTransport): string {
  if (transport.reason !== undefined) return transport.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string')
    return cause.code;
  return error instanceof Error ? error.message.slice(0, 200) : 'it cannot be reached';
}
