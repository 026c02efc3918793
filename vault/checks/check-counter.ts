/**
 * Rule: an authenticator's signature counter goes up, or is not kept at all (always 0, as synced passkeys have it).
 * Source: WebAuthn L3 sections 6.1.1 and 7.2 (signCount). Refusal: AuthenticatorCloned.
 * Without it: a copied security key would stay unnoticed.
 */
import { refuse } from '../refuse.js';

export function checkCounter(presented: number, stored: number): void {
  const notKept = presented === 0 && stored === 0;
  if (!notKept && presented <= stored) throw refuse('AuthenticatorCloned');
}
