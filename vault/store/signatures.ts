import type { Database, Statement } from 'better-sqlite3';
import { checkCounter } from '../checks/check-counter.js';
import type { Allotment, EarlierUse } from '../checks/check-unused.js';
import { checkUnused } from '../checks/check-unused.js';
import type { Offer, SignatureStore, VerifiedConsent } from '../mint.js';
import type { ApproverKeys } from './approver-keys.js';
import type { GroupCommit } from './group-commit.js';
import type { VaultRecord } from './record.js';
import type { Sweep } from './sweep.js';

type Key = [exp: number, hash: Buffer];

/**
 * Which signed bytes were used and observed. "Used" is keyed on the hash of the signed bytes, never on the signature:
 * from an ECDSA (r, s) anyone makes the equally valid (r, n-s).
 * The resource server has a single-use store of its own, written apart from this one on purpose.
 */
export class SqliteSignatureStore implements SignatureStore {
  readonly #used: Statement<Key, EarlierUse>;
  readonly #use: Statement<[...Key, Buffer, string, number]>;
  readonly #observe: Statement<Key>;

  constructor(
    db: Database,
    private readonly commits: GroupCommit,
    private readonly approverKeys: ApproverKeys,
    private readonly record: VaultRecord,
    private readonly sweep: Sweep,
  ) {
    this.#used = db.prepare(
      'SELECT presentation, jti, iat FROM used_signature WHERE exp = ? AND hash = ?',
    );
    this.#use = db.prepare('INSERT INTO used_signature VALUES (?, ?, ?, ?, ?)');
    this.#observe = db.prepare(
      'INSERT INTO observed_signature VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
  }

  spend(verified: VerifiedConsent, offer: Offer): Promise<Allotment> {
    const key = keyOf(verified);
    const { presentation, jti, iat, presentedBy } = offer;
    const facts = { ...verified.consent.recordedFacts, presented_by: presentedBy };
    return this.commits.run(() => {
      const allotted = checkUnused(this.#used.get(...key), presentation);
      if (allotted !== undefined) {
        this.record.append('credential.repeated', { ...facts, jti: allotted.jti });
        return allotted;
      }
      this.sweep.checkRemembered(key[0]);
      this.#note(verified, key);
      this.#use.run(...key, presentation, jti, iat);
      this.record.append('credential.minted', { ...facts, jti });
      return { jti, iat };
    });
  }

  observe(verified: VerifiedConsent, presentedBy: string): Promise<void> {
    const key = keyOf(verified);
    return this.commits.run(() => {
      this.sweep.checkRemembered(key[0]);
      if (!this.#note(verified, key)) return;
      this.record.append('signature.examined', {
        ...verified.consent.recordedFacts,
        presented_by: presentedBy,
      });
    });
  }

  /** True if the bytes were not noted before. A refused counter takes the note back with the rest of the savepoint. */
  #note({ approverKey, counter }: VerifiedConsent, key: Key): boolean {
    if (this.#observe.run(...key).changes === 0) return false;
    if (counter !== undefined) {
      const stored = this.approverKeys.counterOf(approverKey.keyId);
      checkCounter(counter, stored);
      // Synced passkeys keep no counter: theirs stays 0.
      if (counter !== stored) this.approverKeys.setCounter(approverKey.keyId, counter);
    }
    return true;
  }
}

function keyOf({ consent }: VerifiedConsent): Key {
  return [consent.payload.exp, Buffer.from(consent.hash, 'base64url')];
}
