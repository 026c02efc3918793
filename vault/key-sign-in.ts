import * as z from 'zod';
import { posixSeconds } from '../src/contract/payload.js';
import { APPROVER_ASSERTION_TYP } from '../src/contract/wire.js';
import type { CeremonyParts } from './ceremony-parts.js';
import { isCurrent } from './clients.js';
import { sha256Base64url } from './digest.js';
import { ExpiringMap } from './expiring-map.js';
import { readJws } from './jws.js';
import { refuse } from './refuse.js';
import { parseShape } from './shape.js';
import type { SignedIn } from './sign-in.js';

const assertionClaims = z.looseObject({
  sub: z.string(),
  aud: z.string(),
  iat: posixSeconds,
  exp: posixSeconds,
  jti: z.string().min(1),
});

/** Seconds: a sign-in recorded twice after that would be no harm. */
const SEEN_KEPT = 60;

/**
 * Signs in an approver whose key is a raw one, from a terminal: a JWT that key made for this consent page, a minute old
 * at most. It is no signature over an action: canonical bytes begin with `{"`, a JWS signing input with base64url.
 */
export class KeySignIn {
  /** Assertions that were used already. A terminal sends one for many requests; that is one sign-in. */
  readonly #seen: ExpiringMap<true>;

  constructor(private readonly parts: CeremonyParts) {
    this.#seen = new ExpiringMap(parts.clock, SEEN_KEPT);
  }

  /**
   * Whose assertion it is. `audience` is the consent page's own origin.
   * @throws Refusal CeremonyFailed for an assertion that does not hold; UnknownApprover for a key that is not enrolled.
   */
  async finish(assertion: string, audience: string): Promise<SignedIn> {
    const { store, webauthn, clock } = this.parts;
    const jws = readJws(assertion, APPROVER_ASSERTION_TYP, 'CeremonyFailed');
    const claims = parseShape(assertionClaims, jws.claims, 'CeremonyFailed');
    const enrolled = store.approverKeys.find(claims.sub, jws.kid);
    if (enrolled === undefined || enrolled.scheme === 'webauthn') throw refuse('UnknownApprover');
    if (!(await jws.isBy(enrolled))) throw failed('signature');
    if (claims.aud !== audience || !webauthn.origins.includes(audience)) throw failed('aud');
    if (!isCurrent(claims, clock() / 1000)) throw failed('iat or exp');
    const signedIn = { approver_id: enrolled.approverId, key_id: enrolled.keyId };
    await this.#record(assertion, claims.exp, { ...signedIn, with: enrolled.scheme });
    return signedIn;
  }

  async #record(assertion: string, exp: number, entry: SignedIn & { with: string }): Promise<void> {
    const digest = sha256Base64url(assertion);
    if (this.#seen.get(digest) !== undefined) return;
    this.#seen.set(digest, exp, true);
    const { commits, record } = this.parts.store;
    await commits.run(() => {
      record.append('approver.signed-in', { ...entry });
    });
  }
}

function failed(detail: string): Error {
  return refuse('CeremonyFailed', { detail: `approver assertion: ${detail}` });
}
