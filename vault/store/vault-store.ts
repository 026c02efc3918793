import type { Clock } from '../clock.js';
import { posixSecondsOf } from '../clock.js';
import { ApproverKeys } from './approver-keys.js';
import { Ceremonies } from './ceremonies.js';
import { GroupCommit } from './group-commit.js';
import { Invites } from './invites.js';
import { MintKeys } from './mint-keys.js';
import { openDatabase } from './open.js';
import { VaultRecord } from './record.js';
import { SqliteSignatureStore } from './signatures.js';
import { SpentCredentials } from './spent-credentials.js';
import { Sweep } from './sweep.js';
import { UserHandles } from './user-handles.js';

/** WebAuthn challenges open at once, of each kind. */
const OPEN_CEREMONIES = 10_000;

/** Everything the vault keeps, on one SQLite file. */
export type VaultStore = ReturnType<typeof openVaultStore>;

/** Opens the store in the data directory. Close it when done; what was answered is on disk already. */
export function openVaultStore(directory: string, clock: Clock) {
  const db = openDatabase(directory);
  const commits = new GroupCommit(db);
  const record = new VaultRecord(db, clock);
  const approverKeys = new ApproverKeys(db);
  const invites = new Invites(db);
  const ceremonies = new Ceremonies(db, OPEN_CEREMONIES);
  const mintKeys = new MintKeys(db, record, clock);
  const used = new Sweep(db);
  return {
    commits,
    record,
    approverKeys,
    invites,
    ceremonies,
    mintKeys,
    userHandles: new UserHandles(db),
    signatures: new SqliteSignatureStore(db, commits, approverKeys, record, used),
    spentCredentials: new SpentCredentials(db, commits, record, used),
    /** Deletes what is over. */
    sweep: () =>
      commits.run(() => {
        const now = posixSecondsOf(clock);
        used.run(now);
        for (const table of [invites, ceremonies]) table.sweep(now);
        for (const table of [mintKeys, record]) table.sweep();
      }),
    close: () => {
      db.close();
    },
  };
}
