/** JSON-RPC errors on their way through the SDK, which would rewrite some of them by their code and data. */
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/** Holds the `data` of an error where the SDK does not look into it. */
export class SealedData {
  constructor(readonly data: unknown) {}
}

/** `data` of the error that stands for an answer that will not come; no upstream can send this object. */
export const LOST = new SealedData(undefined);

/** Errors used while the protocol version is negotiated: there the SDK has to read the data. */
const OF_NEGOTIATION = -32_022;

export function sealed<Message extends JSONRPCMessage>(message: Message): Message {
  if (!('error' in message)) return message;
  const { error } = message;
  if (error.data === undefined || error.data instanceof SealedData) return message;
  if (error.code === OF_NEGOTIATION) return message;
  return { ...message, error: { ...error, data: new SealedData(error.data) } };
}

/** A second answer to an id changes nothing, so this may follow the real one. */
export function lostAnswer(id: RequestId): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: 'Connection closed', data: LOST } };
}
