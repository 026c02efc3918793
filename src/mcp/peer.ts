import type { JsonObject } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';

/** What matters about the MCP client on the other end. */
export interface Peer {
  /** `url` when it declared URL-mode elicitation on a protocol that has it; then it can open a link for its person. */
  readonly elicitation: 'url' | 'none';
  /** The name it gave itself. A claim. */
  readonly name: string | undefined;
  /** What an upstream server may ask of it: its `sampling`, `elicitation` and `roots` capabilities as it declared them. */
  readonly capabilities: JsonObject;
}

export const UNKNOWN_PEER: Peer = { elicitation: 'none', name: undefined, capabilities: {} };

/** URL mode exists since 2025-11-25; `elicitation: {}` on its own means form mode. */
const FIRST_WITH_URL_MODE = '2025-11-25';
const MAX_NAME = 64;
const CAN_BE_ASKED = ['sampling', 'elicitation', 'roots'] as const;
/** Capabilities travel in a header (legacy-session.ts). */
const MAX_CAPABILITIES = 1024;

export function peerOf(
  capabilities: Readonly<Record<string, unknown>> | undefined,
  client: { readonly name?: string; readonly version?: string } | undefined,
  protocolVersion: string,
): Peer {
  const elicitation = capabilities?.['elicitation'];
  const url =
    protocolVersion >= FIRST_WITH_URL_MODE &&
    isJsonObject(elicitation) &&
    elicitation['url'] !== undefined;
  const { name, version } = client ?? {};
  const label =
    typeof name === 'string'
      ? `${name} ${typeof version === 'string' ? version : ''}`.trim()
      : undefined;
  return {
    elicitation: url ? 'url' : 'none',
    name: label?.slice(0, MAX_NAME),
    capabilities: askable(capabilities ?? {}),
  };
}

function askable(capabilities: Readonly<Record<string, unknown>>): JsonObject {
  const declared = CAN_BE_ASKED.flatMap((name) => {
    const value = capabilities[name];
    return isJsonObject(value) ? [[name, value] as const] : [];
  });
  const kept = Object.fromEntries(declared);
  return JSON.stringify(kept).length <= MAX_CAPABILITIES ? kept : {};
}
