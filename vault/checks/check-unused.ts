/**
 * Rule: signed bytes mint one credential. Who presents them again under the same mint id gets that same one (its answer
 * may have been lost in a crash); anyone and anything else is refused.
 * Source: DESIGN section 7, "one signature mints at most one credential". Refusal: SignatureReplay.
 * Without it: one approval could be spent as often as somebody kept a copy.
 */
import { refuse } from '../refuse.js';

/** What the vault gave a credential: its id and the POSIX second of issue. */
export interface Allotment {
  readonly jti: string;
  readonly iat: number;
}

export interface EarlierUse extends Allotment {
  /** SHA-256 over client, mint id and resource of the presentation that minted. */
  readonly presentation: Buffer;
}

/** `earlier` is the row of these signed bytes, read in the transaction that will write it; undefined means unused. */
export function checkUnused(
  earlier: EarlierUse | undefined,
  presentation: Buffer,
): Allotment | undefined {
  if (earlier === undefined) return undefined;
  if (!earlier.presentation.equals(presentation)) throw refuse('SignatureReplay');
  return { jti: earlier.jti, iat: earlier.iat };
}
