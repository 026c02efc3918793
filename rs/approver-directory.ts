/** Who may sign, by this server's own list. A key gets in by an operator's command, or (if configured) at enrolment. */
import { Refusal } from '../src/contract/errors.js';
import type { ApproverKey } from '../src/contract/wire.js';
import type { PinnedKey } from './pinned-key.js';
import { SCHEME_ALGORITHMS } from './pinned-key.js';
import type { PublicKey } from './public-key.js';
import { loadPublicKey } from './public-key.js';
import type { Clock } from './clock.js';
import type { ApproverStore, StoredKey } from './store/approver-store.js';
import type { GroupCommit } from './store/group-commit.js';
import type { RecordLog } from './store/record.js';

/** Where trust at enrolment looks a key up: the vault's list. Throws Refusal Unavailable. */
export type EnrolledKeys = (approverId: string) => Promise<readonly ApproverKey[]>;

export type TrustSource = 'operator' | 'enrolment';

interface DirectoryParts {
  readonly store: ApproverStore;
  readonly commits: GroupCommit;
  readonly record: RecordLog;
  readonly clock: Clock;
  /** Undefined: only an operator adds keys, and a vault that was taken over cannot. */
  readonly enrolled: EnrolledKeys | undefined;
}

/** Loaded keys kept at most; a key id is a hash of the key, so an entry never goes stale. */
const MAX_LOADED = 1000;

export class ApproverDirectory {
  readonly #loaded = new Map<string, PublicKey>();

  constructor(private readonly parts: DirectoryParts) {}

  /**
   * The active key `keyId` of this approver. The row is read each time: a revocation counts at once.
   * @throws Refusal Unavailable if an unknown key had to be looked up at the vault and could not be.
   */
  async find(approverId: string, keyId: string): Promise<PinnedKey | undefined> {
    const stored = this.parts.store.get(keyId) ?? (await this.#pinEnrolled(approverId, keyId));
    if (stored === undefined || stored.revoked || stored.approver_id !== approverId) return;
    const { scheme, credential_id: credentialId } = stored;
    return { ...this.#load(stored), scheme, credentialId };
  }

  async #pinEnrolled(approverId: string, keyId: string): Promise<StoredKey | undefined> {
    const keys = (await this.parts.enrolled?.(approverId)) ?? [];
    const key = keys.find((k) => k.key_id === keyId && k.approver_id === approverId);
    if (key === undefined || problemWith(key) !== undefined) return;
    await this.parts.commits.run(() => {
      // Pinned or revoked by another process while the vault was asked: that stands.
      if (this.parts.store.get(keyId) === undefined) this.#put(key, 'enrolment');
    });
    return this.parts.store.get(keyId);
  }

  /**
   * Pins a key by an operator's decision, also one that was revoked before.
   * @throws Error if key, thumbprint, scheme and credential id do not belong together, or the key is another approver's.
   */
  async trust(key: ApproverKey): Promise<void> {
    const problem = problemWith(key);
    if (problem !== undefined) throw new Error(problem);
    await this.parts.commits.run(() => this.#put(key, 'operator'));
  }

  #put(key: ApproverKey, source: TrustSource): void {
    if (!this.parts.store.put(key)) throw new Error('this key belongs to another approver');
    this.parts.record.append(this.parts.clock(), 'approver.trusted', {
      approver_id: key.approver_id,
      key_id: key.key_id,
      scheme: key.scheme,
      source,
    });
  }

  /** Revokes active keys; @returns the ids of those it revoked. */
  revoke(keyIds: readonly string[]): Promise<string[]> {
    const now = this.parts.clock();
    return this.parts.commits.run(() =>
      keyIds.filter((keyId) => {
        const revoked = this.parts.store.revoke(keyId, Math.floor(now / 1000));
        if (revoked) this.parts.record.append(now, 'approver.revoked', { key_id: keyId });
        return revoked;
      }),
    );
  }

  #load(stored: StoredKey): PublicKey {
    const cached = this.#loaded.get(stored.key_id);
    if (cached !== undefined) return cached;
    const key = loadPublicKey(stored.public_jwk);
    if (key.keyId !== stored.key_id) throw new Refusal('Internal', 'rs', { detail: 'key row' });
    if (this.#loaded.size >= MAX_LOADED) this.#loaded.clear();
    this.#loaded.set(stored.key_id, key);
    return key;
  }
}

/** Why a key cannot be pinned; undefined if it can. */
function problemWith(key: ApproverKey): string | undefined {
  let loaded: PublicKey;
  try {
    loaded = loadPublicKey(key.public_jwk);
  } catch (error) {
    return String(error);
  }
  if (loaded.keyId !== key.key_id) return 'the key id is not the thumbprint of the key';
  if (!SCHEME_ALGORITHMS[key.scheme].includes(loaded.algorithm)) {
    return `a key of scheme ${key.scheme} cannot be ${loaded.algorithm}`;
  }
  if ((key.scheme === 'webauthn') !== (key.credential_id !== undefined)) {
    return 'a credential id belongs to scheme webauthn, and to no other';
  }
  return undefined;
}
