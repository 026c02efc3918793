import type { JsonObject } from '../src/contract/json.js';
import { jsonEqual } from '../src/contract/json.js';
import type { SignedPayload } from '../src/contract/payload.js';
import type { MintedCredential, Vault } from '../src/contract/vault.js';
import type { ApproverDirectory } from './approver-directory.js';
import type { Clock } from './clock.js';
import { posixSecondsOf } from './clock.js';
import { Consent } from './consent.js';
import { ExpiringMap } from './expiring-map.js';
import { MemorySignatureStore } from './memory-signature-store.js';
import type { MintRules, Presenter } from './mint.js';
import { VerifiedConsent } from './mint.js';
import type { MayApprove } from './policy.js';
import type { Random } from './random.js';
import { newJti, unguessable } from './random.js';
import { refuse } from './refuse.js';
import type { WebauthnExpectations } from './webauthn-client-data.js';

export interface InProcessVaultOptions {
  readonly approvers: ApproverDirectory;
  readonly mayApprove: MayApprove;
  readonly rarTypes: readonly string[];
  /** What form 2 may name as `aud`. */
  readonly audiences: readonly string[];
  readonly maxTtlSeconds: number;
  readonly webauthn: WebauthnExpectations;
  readonly clock: Clock;
  readonly random: Random;
}

/** Seconds an expired credential is still told apart from an unknown one. */
const ISSUED_KEPT = 60;

interface Issued {
  readonly minted: MintedCredential;
  readonly args: JsonObject;
  spent: boolean;
}

/**
 * Tier 1: the vault as an object in the process that uses it, with credentials that are opaque ids. The checks, their
 * order and their codes are those of Tier 2. Sufficient where the model may be tricked but the process is trusted: who
 * controls this process controls the vault, and with the HMAC scheme can sign as well.
 */
export class InProcessVault implements Vault {
  readonly #rules: MintRules;
  readonly #presenter: Presenter;
  readonly #signatures: MemorySignatureStore;
  readonly #issued: ExpiringMap<Issued>;

  constructor(private readonly options: InProcessVaultOptions) {
    this.#rules = { ...options, tier: 1 };
    // One process, one client: whoever calls is the agent that asked.
    this.#presenter = { mayActFor: () => true, mayApprove: options.mayApprove };
    this.#signatures = new MemorySignatureStore(options.clock);
    this.#issued = new ExpiringMap(options.clock, ISSUED_KEPT);
  }

  /** {@inheritDoc Vault.mint} */
  async mint(signed: SignedPayload): Promise<MintedCredential> {
    const { clock, random } = this.options;
    const verified = await VerifiedConsent.verify(
      Consent.read(signed),
      this.#presenter,
      this.#rules,
    );
    const { jti } = await this.#signatures.spend(verified, {
      jti: newJti(clock, random),
      iat: posixSecondsOf(clock),
      presentation: random(32), // no two presentations are the same one: a second is a replay
      presentedBy: 'in-process',
    });
    const { cmd: command, args, exp, approver_id: approverId } = verified.consent.payload;
    const minted = { credential: unguessable(random), jti, exp, approverId, command };
    this.#issued.set(minted.credential, exp, { minted, args, spent: false });
    return minted;
  }

  /** {@inheritDoc Vault.consume} */
  consume(credential: string, command: string, args: JsonObject): Promise<MintedCredential> {
    return new Promise((resolve) => {
      resolve(this.#consume(credential, command, args));
    });
  }

  /** Nothing in here awaits, so no second call gets between the last check and the spending. */
  #consume(credential: string, command: string, args: JsonObject): MintedCredential {
    if (!/^[A-Za-z0-9_-]{43}$/.test(credential)) throw refuse('MalformedCredential');
    const issued = this.#issued.get(credential);
    if (issued === undefined) throw refuse('UnknownIssuer');
    const { minted } = issued;
    if (this.options.clock() >= minted.exp * 1000) throw refuse('CredentialExpired');
    if (command !== minted.command || !jsonEqual(args, issued.args)) {
      throw refuse('CredentialDrift');
    }
    if (issued.spent) throw refuse('CredentialReplay');
    issued.spent = true;
    return minted;
  }
}
