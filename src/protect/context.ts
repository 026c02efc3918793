/** The context a tool's code is called with, of either SDK line, as the one our own code reads. */
import { UrlElicitationRequiredError as V1UrlElicitationRequiredError } from '@modelcontextprotocol/sdk/types.js';
import { type ServerContext, UrlElicitationRequiredError } from '@modelcontextprotocol/server';

/** What 1.x calls `RequestHandlerExtra`. */
interface V1Context {
  readonly signal: AbortSignal;
  readonly requestId: string | number;
  readonly authInfo?: unknown;
  readonly _meta?: unknown;
  readonly sendNotification: (notification: unknown) => Promise<void>;
  readonly sendRequest: (request: unknown, schema: unknown, options?: unknown) => Promise<unknown>;
}

export interface Heard {
  readonly context: ServerContext;
  /** Lets an error of ours reach the SDK that called, as its own kind. */
  readonly inTheirWords: <T>(answer: Promise<T>) => Promise<T>;
}

/** @throws TypeError when it is the context of neither */
export function contextOf(own: unknown): Heard {
  if (isV2(own)) return { context: own, inTheirWords: (answer) => answer };
  if (isV1(own)) return { context: fromV1(own), inTheirWords: inV1Words };
  throw new TypeError('protect() works with @modelcontextprotocol/server 2.x and sdk 1.x');
}

function isV2(own: unknown): own is ServerContext {
  return typeof own === 'object' && own !== null && 'mcpReq' in own;
}

function isV1(own: unknown): own is V1Context {
  return typeof own === 'object' && own !== null && 'requestId' in own && 'sendNotification' in own;
}

function fromV1(own: V1Context): ServerContext {
  const context = {
    mcpReq: {
      id: own.requestId,
      method: 'tools/call',
      _meta: own._meta,
      signal: own.signal,
      requestState: () => undefined,
      notify: own.sendNotification,
      send: own.sendRequest,
    },
    http: { authInfo: own.authInfo },
  };
  return context as unknown as ServerContext;
}

async function inV1Words<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof UrlElicitationRequiredError)) throw error;
    throw new V1UrlElicitationRequiredError(error.elicitations, error.message);
  }
}
