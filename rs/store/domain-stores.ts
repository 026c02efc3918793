/** The stores of this domain on rs.db, opened together: the server uses all of them, an operator's command some. */
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import { APPROVERS_SCHEMA, ApproverStore } from './approver-store.js';
import { EXECUTIONS_SCHEMA, Executions } from './executions.js';
import { GroupCommit } from './group-commit.js';
import { openStore } from './open-store.js';
import { PINS_SCHEMA, Pins } from './pins.js';
import { RECORD_SCHEMA, RecordLog } from './record.js';

export interface DomainStores {
  readonly approvers: ApproverStore;
  readonly commits: GroupCommit;
  readonly executions: Executions;
  readonly pins: Pins;
  readonly record: RecordLog;
  readonly close: () => void;
}

/** @param dataDir exists already */
export function openDomainStores(dataDir: string, clock: Clock): DomainStores {
  const schema = RECORD_SCHEMA + EXECUTIONS_SCHEMA + APPROVERS_SCHEMA + PINS_SCHEMA;
  const store = openStore(join(dataDir, 'rs.db'), schema);
  const commits = new GroupCommit(store);
  const record = new RecordLog(store);
  return {
    approvers: new ApproverStore(store),
    commits,
    executions: new Executions(store, commits, record, clock),
    pins: new Pins(store, commits, record, clock),
    record,
    close: () => store.close(),
  };
}
