/** Approver keys pinned in this server. A revoked key keeps its row, so that nothing trusts it again by itself. */
import type { ApproverKey } from '../../src/contract/wire.js';
import { approverKey } from '../../src/contract/wire.js';
import type { Store } from './open-store.js';

export const APPROVERS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS approver_keys (
    key_id TEXT PRIMARY KEY,
    approver_id TEXT NOT NULL,
    scheme TEXT NOT NULL,
    public_jwk TEXT NOT NULL,
    credential_id TEXT,
    label TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) WITHOUT ROWID;
`;

export interface StoredKey extends ApproverKey {
  readonly revoked: boolean;
}

interface Row {
  readonly key_id: string;
  readonly approver_id: string;
  readonly scheme: string;
  readonly public_jwk: string;
  readonly credential_id: string | null;
  readonly label: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** Rows remembered at most. */
const MAX_CHECKED = 1000;

export class ApproverStore {
  readonly #checked = new Map<string, { readonly row: Row; readonly key: StoredKey }>();
  readonly #get;
  readonly #list;
  readonly #put;
  readonly #revoke;

  constructor(store: Store) {
    this.#get = store.prepare<[string], Row>('SELECT * FROM approver_keys WHERE key_id = ?');
    this.#list = store.prepare<[], Row>('SELECT * FROM approver_keys ORDER BY approver_id, key_id');
    this.#put = store.prepare<[Omit<Row, 'revoked_at'>]>(
      `INSERT INTO approver_keys VALUES (@key_id, @approver_id, @scheme, @public_jwk, @credential_id, @label, @created_at, NULL)
       ON CONFLICT (key_id) DO UPDATE SET revoked_at = NULL, scheme = excluded.scheme,
         credential_id = excluded.credential_id, label = excluded.label, created_at = excluded.created_at
       WHERE approver_id = excluded.approver_id`,
    );
    this.#revoke = store.prepare<[number, string]>(
      'UPDATE approver_keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL',
    );
  }

  /** Reads the row each time; checks its shape again only if it is not the very row checked last for this key. */
  get(keyId: string): StoredKey | undefined {
    const row = this.#get.get(keyId);
    if (row === undefined) return undefined;
    const last = this.#checked.get(keyId);
    if (last !== undefined && sameRow(row, last.row)) return last.key;
    if (this.#checked.size >= MAX_CHECKED) this.#checked.clear();
    const key = storedKey(row);
    this.#checked.set(keyId, { row, key });
    return key;
  }

  list(): StoredKey[] {
    return this.#list.all().map(storedKey);
  }

  /** @returns false if the key is another approver's: one key speaks for one person, for ever */
  put(key: ApproverKey): boolean {
    const row = {
      ...key,
      credential_id: key.credential_id ?? null,
      public_jwk: JSON.stringify(key.public_jwk),
    };
    return this.#put.run(row).changes === 1;
  }

  /** @returns false if there is no such active key */
  revoke(keyId: string, atSeconds: number): boolean {
    return this.#revoke.run(atSeconds, keyId).changes === 1;
  }
}

function sameRow(a: Row, b: Row): boolean {
  return (
    a.key_id === b.key_id &&
    a.approver_id === b.approver_id &&
    a.scheme === b.scheme &&
    a.public_jwk === b.public_jwk &&
    a.credential_id === b.credential_id &&
    a.label === b.label &&
    a.created_at === b.created_at &&
    a.revoked_at === b.revoked_at
  );
}

function storedKey(row: Row): StoredKey {
  const { revoked_at, credential_id, public_jwk, ...rest } = row;
  const jwk: unknown = JSON.parse(public_jwk);
  const key = approverKey.parse({
    ...rest,
    public_jwk: jwk,
    ...(credential_id === null ? {} : { credential_id }),
  });
  return { ...key, revoked: revoked_at !== null };
}
