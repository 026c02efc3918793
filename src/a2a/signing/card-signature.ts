import { type AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk';
import { FlattenedSign, flattenedVerify } from 'jose';
import { Refusal } from '../../contract/errors.js';
import { ALG, type AgentIdentity, type TrustedAgents } from './agent-keys.js';

const TYP = 'JOSE';
const utf8 = new TextEncoder();

/** The card with this agent's signature (A2A 1.0 section 8.4: JWS over the RFC 8785 text of the card without signatures). */
export async function signCard(card: AgentCard, { key, kid }: AgentIdentity): Promise<AgentCard> {
  const { protected: header, signature } = await new FlattenedSign(bytesOf(card))
    .setProtectedHeader({ alg: ALG, typ: TYP, kid })
    .sign(key);
  return { ...card, signatures: [{ protected: header ?? '', signature, header: undefined }] };
}

/**
 * Whether one of the card's signatures is by the key configured for `agent`. `kid`, `jku` and `jwk` in its header are not
 * looked at. An unsigned card could send our token, and the person, anywhere.
 * @throws Refusal `UntrustedAgent` (layer `bridge`)
 */
export async function checkCard(
  card: AgentCard,
  agent: string,
  trusted: TrustedAgents,
): Promise<void> {
  const key = trusted.keyOf(agent);
  const payload = Buffer.from(bytesOf(card)).toString('base64url');
  for (const { protected: header, signature } of card.signatures) {
    try {
      await flattenedVerify({ protected: header, payload, signature }, key, { algorithms: [ALG] });
      return;
    } catch {
      // Another signer's signature, or a broken one: the next may hold.
    }
  }
  throw new Refusal('UntrustedAgent', 'bridge', { detail: `card of ${agent}` });
}

function bytesOf(card: AgentCard): Uint8Array {
  return utf8.encode(canonicalizeAgentCard(card));
}
