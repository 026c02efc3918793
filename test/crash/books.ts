/** Reads the four stores and records as they lie on disk, past all product code, since the last time it did. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { DATABASE_FILE } from '../../consent-ui/server/serve.js';
import type { Domain } from '../../src/cli/data-directory.js';
import type { Signature } from '../../src/contract/payload.js';
import type { Proposal } from '../../src/contract/wire.js';
import type { Domains } from './domains.js';

const FILES: Readonly<Record<Domain, string>> = {
  vault: 'vault.db',
  rs: 'rs.db',
  'consent-ui': DATABASE_FILE,
  bridge: 'bridge.db',
};

export interface PageConsent {
  readonly id: string;
  readonly status: string;
  readonly proposal: Proposal;
  readonly signature: Signature | undefined;
}

export interface BridgeConsent {
  readonly id: string;
  readonly state: string;
  readonly jti: string | null;
  readonly result: string | null;
}

export interface Execution {
  readonly jti: string;
  readonly state: string;
}

export interface Entry {
  readonly event: string;
  /** The record entry's facts. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Books {
  readonly page: readonly PageConsent[];
  readonly bridge: readonly BridgeConsent[];
  readonly executions: ReadonlyMap<string, Execution>;
  readonly records: Readonly<Record<Domain, readonly Entry[]>>;
}

export class Bookkeeper {
  private readonly open;
  private readonly rows = { page: 0, bridge: 0 };
  private readonly seq: Record<Domain, number> = { vault: 0, rs: 0, 'consent-ui': 0, bridge: 0 };

  constructor(domains: Domains) {
    this.open = (domain: Domain): Database.Database =>
      new Database(join(domains.dir(domain), FILES[domain]), { readonly: true });
  }

  /** What is new since the last call. */
  read(): Books {
    return {
      page: this.page(),
      bridge: this.bridge(),
      executions: this.executions(),
      records: {
        vault: this.record('vault'),
        rs: this.record('rs'),
        'consent-ui': this.record('consent-ui'),
        bridge: this.record('bridge'),
      },
    };
  }

  private page(): PageConsent[] {
    const sql = 'SELECT rowid, id, status, proposal, signature FROM consent WHERE rowid > ?';
    const rows = this.all<{
      rowid: number;
      id: string;
      status: string;
      proposal: string;
      signature: string | null;
    }>('consent-ui', sql, this.rows.page);
    this.rows.page = rows.at(-1)?.rowid ?? this.rows.page;
    return rows.map(({ id, status, proposal, signature }) => ({
      ...{ id, status, proposal: JSON.parse(proposal) as Proposal },
      signature: signature === null ? undefined : (JSON.parse(signature) as Signature),
    }));
  }

  private bridge(): BridgeConsent[] {
    const sql = 'SELECT rowid, id, state, jti, result FROM consent WHERE rowid > ?';
    const rows = this.all<BridgeConsent & { rowid: number }>('bridge', sql, this.rows.bridge);
    this.rows.bridge = rows.at(-1)?.rowid ?? this.rows.bridge;
    return rows;
  }

  private executions(): Map<string, Execution> {
    const rows = this.all<Execution>('rs', 'SELECT jti, state FROM executions WHERE ? = 0', 0);
    return new Map(rows.map((row) => [row.jti, row]));
  }

  private record(domain: Domain): Entry[] {
    const sql = 'SELECT seq, event, data FROM record WHERE seq > ? ORDER BY seq';
    const rows = this.all<{ seq: number; event: string; data: string }>(
      domain,
      sql,
      this.seq[domain],
    );
    this.seq[domain] = rows.at(-1)?.seq ?? this.seq[domain];
    return rows.map(({ event, data }) => ({
      event,
      facts: JSON.parse(data) as Record<string, unknown>,
    }));
  }

  private all<T>(domain: Domain, sql: string, after: number): T[] {
    const db = this.open(domain);
    try {
      return db.prepare<[number], T>(sql).all(after);
    } finally {
      db.close();
    }
  }
}
