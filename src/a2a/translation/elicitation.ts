import type { ElicitRequestURLParams } from '@modelcontextprotocol/server';
import { displayText } from '../../contract/display.js';
import type { Ask } from './ask.js';

/** `_meta` members under which an elicitation carries what A2A carried. MCP's own shape has no place for them. */
export const DETAILS_META = 'io.consent-bridge/authorization-details';
export const CHAIN_META = 'io.consent-bridge/chain';

/** The `_meta` of an elicitation for a remote ask: the details as the text they came as, and the agents' names. */
export function elicitationMeta(ask: Ask): Record<string, unknown> {
  return {
    [DETAILS_META]: ask.authorization_details,
    [CHAIN_META]: [...ask.chain.map(({ agent }) => agent), ask.agent],
  };
}

/**
 * `auth_required` as an MCP elicitation. Always URL mode: the person decides on the page of the agent that will act, never
 * in a form of the host. The id is the bridge's own; the agent's consent id would let it name another's elicitation.
 */
export function elicitationOf(ask: Ask, elicitationId: string): ElicitRequestURLParams {
  return {
    mode: 'url',
    message: displayText(ask.binding_message),
    url: ask.consent_url,
    elicitationId,
    _meta: elicitationMeta(ask),
  };
}
