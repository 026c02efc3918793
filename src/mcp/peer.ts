/** What matters about the MCP client on the other end. */
export interface Peer {
  /** `url` when it declared URL-mode elicitation on a protocol that has it; then it can open a link for its person. */
  readonly elicitation: 'url' | 'none';
  /** The name it gave itself. A claim. */
  readonly name: string | undefined;
}

/** URL mode exists since 2025-11-25; `elicitation: {}` on its own means form mode. */
const FIRST_WITH_URL_MODE = '2025-11-25';
const MAX_NAME = 64;

export function peerOf(
  capabilities:
    { readonly elicitation?: Readonly<Record<string, unknown>> | undefined } | undefined,
  client: { readonly name?: string; readonly version?: string } | undefined,
  protocolVersion: string,
): Peer {
  const url =
    protocolVersion >= FIRST_WITH_URL_MODE && capabilities?.elicitation?.['url'] !== undefined;
  const { name, version } = client ?? {};
  const label =
    typeof name === 'string'
      ? `${name} ${typeof version === 'string' ? version : ''}`.trim()
      : undefined;
  return { elicitation: url ? 'url' : 'none', name: label?.slice(0, MAX_NAME) };
}
