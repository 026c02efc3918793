import type { Database, Statement } from 'better-sqlite3';
import type { SignatureScheme } from '../../src/contract/payload.js';
import { BoundedMap } from '../bounded-map.js';
import type { ApproverDirectory, EnrolledKey } from '../approver-directory.js';
import type { PublicKey } from '../public-key.js';
import { importPublicJwk } from '../public-key.js';
import { jsonObject } from '../../src/contract/payload.js';

/** A row of the approver directory. */
export interface ApproverKeyRow {
  readonly key_id: string;
  readonly approver_id: string;
  readonly scheme: SignatureScheme;
  /** JSON text. */
  readonly public_jwk: string;
  readonly cose_key: Buffer | null;
  readonly credential_id: string | null;
  readonly counter: number;
  readonly label: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** What verifying a signature needs of it. */
type VerificationRow = Pick<
  ApproverKeyRow,
  'key_id' | 'approver_id' | 'scheme' | 'public_jwk' | 'credential_id' | 'revoked_at'
>;

/** Imported keys kept in memory. */
const CACHED = 10_000;

/**
 * The vault's approver directory. Rows are read on every call, so that a revocation by another process holds at once;
 * the imported keys are cached by their thumbprint, which cannot go stale.
 */
export class ApproverKeys implements ApproverDirectory {
  readonly #imported = new BoundedMap<PublicKey>(CACHED);
  readonly #byId: Statement<[string], VerificationRow>;
  readonly #counter: Statement<[string], Pick<ApproverKeyRow, 'counter'>>;
  readonly #byCredential: Statement<[string], ApproverKeyRow>;
  readonly #ofApprover: Statement<[string], ApproverKeyRow>;
  readonly #all: Statement<[], ApproverKeyRow>;
  readonly #insert: Statement<[ApproverKeyRow]>;
  readonly #revoke: Statement<[number, string]>;
  readonly #setCounter: Statement<[number, string]>;

  constructor(db: Database) {
    // Named, because each column that is read costs, and these two are read at every mint.
    this.#byId = db.prepare(
      'SELECT key_id, approver_id, scheme, public_jwk, credential_id, revoked_at FROM approver_key WHERE key_id = ?',
    );
    this.#counter = db.prepare('SELECT counter FROM approver_key WHERE key_id = ?');
    this.#byCredential = db.prepare(
      'SELECT * FROM approver_key WHERE credential_id = ? AND revoked_at IS NULL',
    );
    this.#ofApprover = db.prepare(
      'SELECT * FROM approver_key WHERE approver_id = ? AND revoked_at IS NULL ORDER BY created_at, key_id',
    );
    this.#all = db.prepare('SELECT * FROM approver_key ORDER BY approver_id, created_at, key_id');
    this.#insert = db.prepare(`INSERT INTO approver_key VALUES
      (@key_id, @approver_id, @scheme, @public_jwk, @cose_key, @credential_id, @counter, @label, @created_at, @revoked_at)
      ON CONFLICT DO NOTHING`);
    this.#revoke = db.prepare(
      'UPDATE approver_key SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL',
    );
    this.#setCounter = db.prepare('UPDATE approver_key SET counter = ? WHERE key_id = ?');
  }

  /** {@inheritDoc ApproverDirectory.find} */
  find(approverId: string, keyId: string): EnrolledKey | undefined {
    const row = this.#byId.get(keyId);
    if (row === undefined || row.approver_id !== approverId || row.revoked_at !== null)
      return undefined;
    const { key, alg } = this.#import(row);
    return {
      approverId,
      keyId,
      scheme: row.scheme,
      key,
      alg,
      ...(row.credential_id === null ? {} : { credentialId: row.credential_id }),
    };
  }

  /** The active key with this WebAuthn credential id. */
  ofCredential(credentialId: string): ApproverKeyRow | undefined {
    return this.#byCredential.get(credentialId);
  }

  /** Active keys of one approver, oldest first. */
  activeOf(approverId: string): ApproverKeyRow[] {
    return this.#ofApprover.all(approverId);
  }

  /** Every key there is or was. */
  all(): ApproverKeyRow[] {
    return this.#all.all();
  }

  /** False, and nothing written, if the key or the credential is or was anybody's already. */
  add(row: ApproverKeyRow): boolean {
    return this.#insert.run(row).changes === 1;
  }

  /** False if there is no such active key. A revoked key stays known, and so can never be enrolled again. */
  revoke(keyId: string, at: number): boolean {
    return this.#revoke.run(at, keyId).changes === 1;
  }

  /** The authenticator's counter as last seen. */
  counterOf(keyId: string): number {
    return this.#counter.get(keyId)?.counter ?? 0;
  }

  setCounter(keyId: string, counter: number): void {
    this.#setCounter.run(counter, keyId);
  }

  #import(row: VerificationRow): PublicKey {
    const cached = this.#imported.get(row.key_id);
    if (cached !== undefined) return cached;
    const imported = importPublicJwk(jsonObject.parse(JSON.parse(row.public_jwk)));
    this.#imported.set(row.key_id, imported);
    return imported;
  }
}
