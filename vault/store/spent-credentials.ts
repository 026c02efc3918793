import type { Database, Statement } from 'better-sqlite3';
import { sha256 } from '../digest.js';
import { refuse } from '../refuse.js';
import type { GroupCommit } from './group-commit.js';
import type { VaultRecord } from './record.js';
import type { Sweep } from './sweep.js';

/** Credentials consumed at the vault itself. The resource server keeps its own such store, written apart on purpose. */
export class SpentCredentials {
  readonly #insert: Statement<[number, Buffer]>;

  constructor(
    db: Database,
    private readonly commits: GroupCommit,
    private readonly record: VaultRecord,
    private readonly sweep: Sweep,
  ) {
    this.#insert = db.prepare('INSERT INTO spent_credential VALUES (?, ?) ON CONFLICT DO NOTHING');
  }

  /**
   * Spends the credential, durably when the promise resolves.
   * @throws Refusal CredentialReplay if it was spent before, CredentialExpired if that is not known any more.
   */
  spend(jti: string, exp: number): Promise<void> {
    return this.commits.run(() => {
      this.sweep.checkRemembered(exp);
      if (this.#insert.run(exp, sha256(jti)).changes === 0) throw refuse('CredentialReplay');
      this.record.append('credential.consumed', { jti });
    });
  }
}
