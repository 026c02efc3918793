import type Database from 'better-sqlite3';
import type { Outcome } from '../../dispatcher/outcome.js';
import type { Ask } from '../translation/ask.js';

/** `sent -> parked -> settled`, or `sent -> settled`. The first write of the last step wins. */
export type RemoteState = 'sent' | 'parked' | 'settled';

/** One call to another agent. */
export interface RemoteCall {
  /** What the caller here knows it by; the remote never learns it. */
  readonly id: string;
  readonly lookup: string;
  readonly generation: number;
  /** Its name in the configuration. */
  readonly agent: string;
  readonly subject: string;
  readonly state: RemoteState;
  /** This agent's own statement about it. */
  readonly link: string;
  /** The remote's ids; any characters. */
  readonly taskId?: string;
  readonly contextId?: string;
  readonly ask?: Ask;
  readonly result?: Outcome;
  /** When something last happened to it, milliseconds. */
  readonly changedAt: number;
  readonly told: boolean;
}

interface Row {
  readonly id: string;
  readonly lookup: string;
  readonly generation: number;
  readonly agent: string;
  readonly subject: string;
  readonly state: RemoteState;
  readonly link: string;
  readonly task_id: string | null;
  readonly context_id: string | null;
  readonly ask: string | null;
  readonly result: string | null;
  readonly changed_at: number;
  readonly told: number;
}

export class RemoteStore {
  private readonly statements;

  constructor(
    db: Database.Database,
    private readonly clock: () => number,
  ) {
    this.statements = {
      byId: db.prepare<[string], Row>('SELECT * FROM remote_call WHERE id = ?'),
      latest: db.prepare<[string], Row>(
        'SELECT * FROM remote_call WHERE lookup = ? ORDER BY generation DESC LIMIT 1',
      ),
      open: db.prepare(
        `INSERT INTO remote_call (id, lookup, generation, agent, subject, state, link, changed_at)
         VALUES (?, ?, ?, ?, ?, 'sent', ?, ?)`,
      ),
      park: db.prepare(
        `UPDATE remote_call SET state = 'parked', task_id = ?, context_id = ?, ask = ?, changed_at = ?
         WHERE id = ? AND state <> 'settled'`,
      ),
      settle: db.prepare(
        `UPDATE remote_call SET state = 'settled', result = ?, told = ?, changed_at = ? WHERE id = ? AND state <> 'settled'`,
      ),
      told: db.prepare(`UPDATE remote_call SET told = 1 WHERE id = ? AND state = 'settled'`),
      sweep: db.prepare('DELETE FROM remote_call WHERE changed_at < ?'),
    };
  }

  byId(id: string): RemoteCall | undefined {
    return callOf(this.statements.byId.get(id));
  }

  latest(lookup: string): RemoteCall | undefined {
    return callOf(this.statements.latest.get(lookup));
  }

  open(
    call: Pick<RemoteCall, 'id' | 'lookup' | 'generation' | 'agent' | 'subject' | 'link'>,
  ): void {
    const { id, lookup, generation, agent, subject, link } = call;
    this.statements.open.run(id, lookup, generation, agent, subject, link, this.clock());
  }

  /** @param ask absent while the remote works on without a person */
  park(id: string, taskId: string, contextId: string, ask: Ask | undefined): boolean {
    const text = ask === undefined ? null : JSON.stringify(ask);
    return this.statements.park.run(taskId, contextId, text, this.clock(), id).changes === 1;
  }

  /** An outcome that cannot name its call again counts as told at once. */
  settle(id: string, result: Outcome): boolean {
    const told = 'consentId' in result ? 0 : 1;
    return this.statements.settle.run(JSON.stringify(result), told, this.clock(), id).changes === 1;
  }

  /** True if the id is of a call to another agent. */
  markTold(id: string): boolean {
    return this.statements.told.run(id).changes === 1;
  }

  /** Removes calls that nothing happened to since `ms`. */
  sweep(ms: number): void {
    this.statements.sweep.run(ms);
  }
}

function callOf(row: Row | undefined): RemoteCall | undefined {
  if (row === undefined) return undefined;
  const { id, lookup, generation, agent, subject, state, link } = row;
  return {
    ...{ id, lookup, generation, agent, subject, state, link },
    ...(row.task_id === null ? {} : { taskId: row.task_id }),
    ...(row.context_id === null ? {} : { contextId: row.context_id }),
    ...(row.ask === null ? {} : { ask: JSON.parse(row.ask) as Ask }),
    ...(row.result === null ? {} : { result: JSON.parse(row.result) as Outcome }),
    changedAt: row.changed_at,
    told: row.told === 1,
  };
}
