/** Layer 1: which signed payloads become credentials. The checks stand in {@link VerifiedConsent.verify}, in order. */
import type { ApproverDirectory, EnrolledKey } from './approver-directory.js';
import { checkAgent } from './checks/check-agent.js';
import { checkApproverKey } from './checks/check-approver-key.js';
import { checkAudience } from './checks/check-audience.js';
import { checkNotExpired } from './checks/check-not-expired.js';
import { checkPolicy } from './checks/check-policy.js';
import { checkRarType } from './checks/check-rar-type.js';
import { checkSignature } from './checks/check-signature.js';
import { checkTtl } from './checks/check-ttl.js';
import type { Allotment } from './checks/check-unused.js';
import type { Clock } from './clock.js';
import type { Consent } from './consent.js';
import type { MayApprove } from './policy.js';
import type { Tier } from './schemes.js';
import type { WebauthnExpectations } from './webauthn-client-data.js';

/** What this vault mints, from its own configuration. */
export interface MintRules {
  readonly tier: Tier;
  readonly rarTypes: readonly string[];
  /** Identifiers of the resource servers it mints for. */
  readonly audiences: readonly string[];
  /** How far away a signed deadline may be. */
  readonly maxTtlSeconds: number;
  readonly webauthn: WebauthnExpectations;
  readonly approvers: ApproverDirectory;
  readonly clock: Clock;
}

/** Who presents a signed payload, and what that client may have. */
export interface Presenter {
  /** The resource server asked for (RFC 8707), if any. */
  readonly resource?: string;
  readonly mayActFor: (clientId: string) => boolean;
  readonly mayApprove: MayApprove;
}

/** A consent that passed every check but the last. Only {@link verify} makes one, and only these can be spent. */
export class VerifiedConsent {
  protected readonly passed = 'signature';

  private constructor(
    readonly consent: Consent,
    readonly approverKey: EnrolledKey,
    /** The authenticator's signature counter, where the scheme has one. */
    readonly counter: number | undefined,
  ) {}

  /**
   * The ordered checks of a mint. What comes before them, shape and known form, is what a {@link Consent} is.
   * @throws Refusal PayloadDriftAtMint, WrongClient, UnknownApprover, PolicyDenied, SignatureMismatch,
   *   CredentialExpired; the first that applies.
   */
  static async verify(
    consent: Consent,
    presenter: Presenter,
    rules: MintRules,
  ): Promise<VerifiedConsent> {
    checkRarType(consent, rules.rarTypes);
    checkAudience(consent, presenter.resource, rules.audiences);
    checkAgent(consent, presenter.mayActFor);
    const key = checkApproverKey(consent, rules.approvers);
    checkPolicy(consent, presenter.mayApprove);
    const { counter } = await checkSignature(consent, key, rules.tier, rules.webauthn);
    checkNotExpired(consent, rules.clock());
    checkTtl(consent, rules.clock(), rules.maxTtlSeconds);
    return new VerifiedConsent(consent, key, counter);
  }
}

/** What is kept of signed bytes, so that they mint once and their counter counts once. One process or many share it. */
export interface SignatureStore {
  /**
   * The last check of a mint: in one transaction, durable before the promise resolves, the signed bytes become used and
   * the offered `jti` and `iat` theirs; or, presented again under the same id, they keep those they have.
   * @throws Refusal SignatureReplay; CredentialExpired if the bytes are so old that their use is forgotten (the clock was
   *   set back); AuthenticatorCloned if the bytes were not observed before and the counter went back.
   */
  spend(verified: VerifiedConsent, offer: Offer): Promise<Allotment>;
  /**
   * Notes that the bytes were signed, and advances the authenticator's counter, once per signed bytes.
   * @throws Refusal AuthenticatorCloned if the counter went back.
   */
  observe(verified: VerifiedConsent, presentedBy: string): Promise<void>;
}

export interface Offer extends Allotment {
  /** SHA-256 over what makes two presentations the same. */
  readonly presentation: Buffer;
  /** Client id of the presenter, for the record. */
  readonly presentedBy: string;
}
