import type { Message } from '@a2a-js/sdk';
import type { JsonObject } from '../../contract/json.js';
import { callPart } from '../extension.js';
import { dataPart, onlyPart } from './part.js';

/** A call as it travels: the tool by its name at the receiver, and the statements of the agents it came through. */
export interface CarriedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** Compact JWS each; empty when the caller makes no statements. */
  readonly links: readonly string[];
}

export function callParts({ tool, args, links }: CarriedCall): Message['parts'] {
  return [dataPart({ kind: 'call', tool, args, ...(links.length === 0 ? {} : { chain: links }) })];
}

/** The call a message asks for, or undefined when it asks for none that this extension knows. */
export function callOf(message: Pick<Message, 'parts'>): CarriedCall | undefined {
  const part = onlyPart(message.parts, 'call', callPart);
  return part && { tool: part.tool, args: part.args, links: part.chain ?? [] };
}
