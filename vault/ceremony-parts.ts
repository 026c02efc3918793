import type { Clock } from './clock.js';
import type { Random } from './random.js';
import type { VaultStore } from './store/vault-store.js';
import type { WebauthnExpectations } from './webauthn-client-data.js';

/** What enrolment and sign-in work with. */
export interface CeremonyParts {
  readonly store: VaultStore;
  readonly webauthn: WebauthnExpectations & { readonly rpName: string };
  readonly clock: Clock;
  readonly random: Random;
}

/** How long the answer to a challenge may take. */
export const CEREMONY_SECONDS = 300;
