import type { JsonObject } from '../../contract/json.js';
import type { Ask, UnsignedAsk } from '../translation/ask.js';
import type { AgentIdentity, TrustedAgents } from './agent-keys.js';
import { checkDetached, signDetached } from './detached.js';

const TYP = 'consent-bridge-ask';

/** The leaf's ask under its signature. */
export async function signAsk(ask: UnsignedAsk, identity: AgentIdentity): Promise<Ask> {
  const members = { kind: 'ask', ...ask } as const;
  return { ...members, signature: await signDetached(jsonOf(members), TYP, identity) };
}

/**
 * Every hop, and the host above all, checks the leaf's own signature before a person is shown anything.
 * @throws Refusal `UntrustedAgent`, `HopMismatch` (layer `bridge`)
 */
export async function checkAsk(ask: Ask, trusted: TrustedAgents): Promise<void> {
  const { signature, ...members } = ask;
  await checkDetached(jsonOf(members), TYP, signature, ask.agent, trusted);
}

/** An absent `link` is an absent member, which the types cannot say of JSON. */
function jsonOf(members: Omit<Ask, 'signature'>): JsonObject {
  return members as unknown as JsonObject;
}
