import type { Database, Statement } from 'better-sqlite3';
import type { JsonObject } from '../../src/contract/json.js';
import { jsonObject } from '../../src/contract/payload.js';
import type { RecordEntry } from '../../src/contract/wire.js';
import type { Clock } from '../clock.js';

/** Everything the vault writes to its record, one entry per event. */
export type RecordEvent =
  | 'mint-key.created'
  | 'mint-key.rotated'
  | 'invite.created'
  | 'approver-key.enrolled'
  | 'approver-key.revoked'
  | 'enrolment.refused'
  | 'approver.signed-in'
  | 'sign-in.refused'
  | 'signature.examined'
  | 'examine.refused'
  | 'directory.refused'
  | 'credential.minted'
  | 'credential.repeated'
  | 'mint.refused'
  | 'credential.consumed';

interface Row {
  readonly seq: number;
  readonly at_ms: number;
  readonly event: string;
  readonly data: string;
}

/** How long entries are kept; the schema itself forbids deleting any younger than 30 days. */
const KEPT_MS = 365 * 86_400_000;
const PAGE = 1000;

/** The vault's own append-only log. Ids, codes, hashes and key ids; never secrets, tokens, signatures or arguments. */
export class VaultRecord {
  readonly #insert: Statement<[number, string, string]>;
  readonly #read: Statement<[number, number], Row>;
  readonly #sweep: Statement<[number]>;

  constructor(
    db: Database,
    private readonly clock: Clock,
  ) {
    this.#insert = db.prepare('INSERT INTO record (at_ms, event, data) VALUES (?, ?, ?)');
    this.#read = db.prepare('SELECT * FROM record WHERE seq > ? ORDER BY seq LIMIT ?');
    this.#sweep = db.prepare('DELETE FROM record WHERE at_ms < ?');
  }

  /** Writes one entry. Call it in the transaction of the change it tells of. */
  append(event: RecordEvent, data: JsonObject): void {
    this.#insert.run(this.clock(), event, JSON.stringify(data, shortened));
  }

  /** Entries after `seq`, oldest first, read page by page: the record may be larger than memory. */
  *after(seq: number): Generator<RecordEntry> {
    let page = this.#read.all(seq, PAGE);
    while (page.length > 0) {
      for (const row of page) {
        const data = jsonObject.parse(JSON.parse(row.data));
        yield { ...data, seq: row.seq, at_ms: row.at_ms, domain: 'vault', event: row.event };
        seq = row.seq;
      }
      page = this.#read.all(seq, PAGE);
    }
  }

  sweep(): void {
    this.#sweep.run(this.clock() - KEPT_MS);
  }
}

/** No caller's text makes the record grow as they please; ids and hashes are shorter than this. */
function shortened(_member: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 300) : value;
}
