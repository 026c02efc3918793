/** The single-use store: what has been consumed, and what came of it. The vault keeps its own, apart from this one. */
import { createHash } from 'node:crypto';
import { Refusal } from '../../src/contract/errors.js';
import type { ExecutionOutcome, ExecutionState } from '../../src/contract/wire.js';
import { executionOutcome } from '../../src/contract/wire.js';
import type { Clock } from '../clock.js';
import type { GroupCommit } from './group-commit.js';
import type { Store } from './open-store.js';
import type { RecordLog } from './record.js';

/** `used` is keyed (exp, hash) so that inserts arrive almost in order and a sweep is one range delete. */
export const EXECUTIONS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS executions (
    jti TEXT PRIMARY KEY,
    exp INTEGER NOT NULL,
    service TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'success', 'failure', 'indeterminate')),
    outcome TEXT
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS executions_by_exp ON executions (exp);
  CREATE TABLE IF NOT EXISTS used (
    exp INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (exp, hash)
  ) WITHOUT ROWID;
  -- Rows of \`used\` with an earlier exp are deleted; POSIX seconds, never goes back.
  CREATE TABLE IF NOT EXISTS forgotten (before INTEGER NOT NULL);
  INSERT INTO forgotten SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM forgotten);
`;

/** Longer outcomes are answered, not stored; their state and digest are. */
const MAX_OUTCOME_BYTES = 262_144;
/** Past `exp`, by which credentials are accepted 30 s late: a clock may be set back by an hour and everything goes on. */
const KEEP_USED_SECONDS = 2 * 3600;
const KEEP_OUTCOME_SECONDS = 24 * 3600;

export interface Consumption {
  readonly jti: string;
  /** SHA-256 of the signed bytes, base64url. */
  readonly hash: string;
  /** POSIX seconds, the signed deadline. */
  readonly exp: number;
  /** The authenticated service that sent the call. */
  readonly service: string;
  readonly command: string;
  readonly subject: string;
  readonly clientId: string;
  readonly approverId: string;
  readonly keyId: string;
}

interface Row {
  readonly state: ExecutionState['state'];
  readonly outcome: string | null;
}

export class Executions {
  readonly #state;
  readonly #owned;
  readonly #use;
  readonly #start;
  readonly #settle;
  readonly #recover;
  readonly #forgottenBefore;
  readonly #forget;
  readonly #sweepUsed;
  readonly #sweepOutcomes;
  /** Executions that broke off here, and the disk did not even take that. */
  readonly #lost = new Set<string>();

  constructor(
    store: Store,
    private readonly commits: GroupCommit,
    private readonly record: RecordLog,
    private readonly clock: Clock,
  ) {
    this.#state = store.prepare<[string], Row>('SELECT state FROM executions WHERE jti = ?');
    this.#owned = store.prepare<[string, string], Row>(
      'SELECT state, outcome FROM executions WHERE jti = ? AND service = ?',
    );
    this.#use = store.prepare<[number, Buffer]>('INSERT OR IGNORE INTO used VALUES (?, ?)');
    this.#start = store.prepare<[string, number, string]>(
      "INSERT INTO executions (jti, exp, service, state) VALUES (?, ?, ?, 'started')",
    );
    // The process that ran it knows better than one that, starting beside it, took it for lost.
    this.#settle = store.prepare<[string, string | null, string]>(
      "UPDATE executions SET state = ?, outcome = ? WHERE jti = ? AND state IN ('started', 'indeterminate')",
    );
    this.#recover = store.prepare<[], { jti: string }>(
      "UPDATE executions SET state = 'indeterminate' WHERE state = 'started' RETURNING jti",
    );
    this.#forgottenBefore = store.prepare<[], number>('SELECT before FROM forgotten').pluck();
    this.#forget = store.prepare<[number]>('UPDATE forgotten SET before = max(before, ?)');
    this.#sweepUsed = store.prepare<[number]>('DELETE FROM used WHERE exp < ?');
    this.#sweepOutcomes = store.prepare<[number]>('DELETE FROM executions WHERE exp < ?');
  }

  /**
   * Marks the credential and the signed bytes used. Resolves once that is on disk.
   * @throws Refusal CredentialReplay, ExecutionIndeterminate, SignatureReplay, or CredentialExpired if its use would be
   *   forgotten by now, but the clock was set back; then nothing is marked.
   */
  start(consumption: Consumption): Promise<void> {
    const { jti, hash, exp, service, ...who } = consumption;
    return this.commits.run(() => {
      const earlier = this.#state.get(jti);
      if (earlier?.state === 'indeterminate' || this.#lost.has(jti))
        throw new Refusal('ExecutionIndeterminate', 'rs');
      if (earlier !== undefined) throw new Refusal('CredentialReplay', 'rs');
      if (exp < (this.#forgottenBefore.get() ?? 0)) throw new Refusal('CredentialExpired', 'rs');
      if (this.#use.run(exp, Buffer.from(hash, 'base64url')).changes === 0) {
        throw new Refusal('SignatureReplay', 'rs');
      }
      this.#start.run(jti, exp, service);
      const { command, subject, clientId, approverId, keyId } = who;
      this.record.append(this.clock(), 'execution.started', {
        jti,
        hash,
        exp,
        service,
        command,
        subject,
        client_id: clientId,
        approver_id: approverId,
        key_id: keyId,
      });
    });
  }

  /** Stores what came of it. */
  finish(jti: string, outcome: ExecutionOutcome): Promise<void> {
    const text = JSON.stringify(outcome);
    const stored = Buffer.byteLength(text) <= MAX_OUTCOME_BYTES ? text : null;
    return this.commits.run(() => {
      this.#settle.run(outcome.status, stored, jti);
      this.record.append(this.clock(), 'execution.finished', { jti, ...digestOf(outcome, text) });
    });
  }

  /** The action began and broke off: nobody knows what it did. */
  async abandon(jti: string): Promise<void> {
    this.#lost.add(jti);
    await this.#abandonLost();
  }

  /** Writes down every execution that broke off; those the disk does not take are tried again with the next sweep. */
  async #abandonLost(): Promise<void> {
    const jtis = [...this.#lost];
    await this.commits.run(() => {
      for (const jti of jtis) {
        if (this.#settle.run('indeterminate', null, jti).changes === 0) continue;
        this.record.append(this.clock(), 'execution.indeterminate', { jti });
      }
    });
    for (const jti of jtis) this.#lost.delete(jti);
  }

  /** At start: whatever an earlier process left `started` was cut off by its end. */
  async recover(): Promise<void> {
    await this.commits.run(() => {
      for (const { jti } of this.#recover.all()) {
        this.record.append(this.clock(), 'execution.indeterminate', { jti });
      }
    });
  }

  /** An open call leaves one entry in the record and no state. */
  recordOpen(call: {
    readonly command: string;
    readonly subject: string;
    readonly clientId: string;
    readonly outcome: ExecutionOutcome;
  }): Promise<void> {
    const { command, subject, clientId, outcome } = call;
    const text = JSON.stringify(outcome);
    return this.commits.run(() => {
      this.record.append(this.clock(), 'execution.open', {
        command,
        subject,
        client_id: clientId,
        ...digestOf(outcome, text),
      });
    });
  }

  /** The state of an execution, for the service that started it; undefined for anybody else. */
  find(jti: string, service: string): ExecutionState | undefined {
    const row = this.#owned.get(jti, service);
    if (row === undefined) return undefined;
    if (this.#lost.has(jti)) return { jti, state: 'indeterminate' };
    if (row.outcome === null) return { jti, state: row.state };
    return { jti, state: row.state, outcome: executionOutcome.parse(JSON.parse(row.outcome)) };
  }

  /** Removes what can no longer be presented, and outcomes a day past their deadline. */
  async sweep(): Promise<void> {
    await this.#abandonLost();
    await this.commits.run(() => {
      const now = Math.floor(this.clock() / 1000);
      this.#forget.run(now - KEEP_USED_SECONDS);
      this.#sweepUsed.run(now - KEEP_USED_SECONDS);
      this.#sweepOutcomes.run(now - KEEP_OUTCOME_SECONDS);
    });
  }
}

/** @param text the outcome as JSON */
function digestOf(outcome: ExecutionOutcome, text: string) {
  return {
    status: outcome.status,
    ...(outcome.status === 'failure' ? { error: outcome.error.code } : {}),
    outcome_sha256: createHash('sha256').update(text).digest('base64url'),
  };
}
