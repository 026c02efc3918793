/**
 * What a parked task asks of a person. Pure: no I/O, no clock, no keys.
 *
 * Nothing is lost on the way from the leaf to the person: each hop passes the part on as it came, `authorization_details`
 * as the very text the leaf wrote. Left out on purpose: the tool's own description, which only the leaf's page shows.
 */
import type { Message, Part } from '@a2a-js/sdk';
import type { Form2Payload } from '../../contract/payload.js';
import type { Hop } from '../../dispatcher/proposal.js';
import { type AskPart, askPart } from '../extension.js';
import { dataPart, onlyPart } from './part.js';

/** As it stands in the data part. */
export type Ask = Readonly<AskPart>;
/** All that the leaf's signature covers. */
export type UnsignedAsk = Omit<Ask, 'signature' | 'kind'>;

/** The leaf's ask for one proposed action. `hashOf` gives the SHA-256 by which a statement is named. */
export function unsignedAsk(
  payload: Form2Payload,
  consentUrl: string,
  chain: readonly Hop[],
  hashOf: (link: string) => string,
): UnsignedAsk {
  const { rar_type: type, cmd: command, args } = payload;
  return {
    agent: payload.client_id,
    authorization_details: JSON.stringify([{ type, command, args }]),
    binding_message: payload.binding_message,
    exp: payload.exp,
    approver_id: payload.approver_id,
    resource: payload.aud,
    consent_id: payload.nonce,
    consent_url: consentUrl,
    chain: chain.map(({ agent, link }) => ({
      agent,
      ...(link === undefined ? {} : { link: hashOf(link) }),
    })),
  };
}

export function askPartOf(ask: Ask): Part {
  return dataPart(ask);
}

/** The ask in a status message, or undefined when there is not exactly one in the documented shape. */
export function askOf(message: Pick<Message, 'parts'> | undefined): Ask | undefined {
  return onlyPart(message?.parts, 'ask', askPart);
}
