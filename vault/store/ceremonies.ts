import type { Database, Statement } from 'better-sqlite3';

export type CeremonyKind = 'enrolment' | 'sign-in';

export interface Ceremony {
  /** 32 random octets, base64url. */
  readonly challenge: string;
  /** SHA-256 of the invite; enrolment only. */
  readonly invite_hash: Buffer | null;
}

/** WebAuthn challenges given out and not yet answered, on disk so that a restart between the two steps is harmless. */
export class Ceremonies {
  readonly #insert: Statement<[string, CeremonyKind, string, Buffer | null, number]>;
  readonly #take: Statement<[string, CeremonyKind, number], Ceremony>;
  readonly #count: Statement<[CeremonyKind], { readonly open: number }>;
  readonly #dropOldest: Statement<[CeremonyKind]>;
  readonly #sweep: Statement<[number]>;

  constructor(
    db: Database,
    /** Of each kind at most this many are open; a newer one pushes the oldest out. */
    private readonly capacity: number,
  ) {
    this.#insert = db.prepare('INSERT INTO ceremony VALUES (?, ?, ?, ?, ?)');
    this.#take = db.prepare(
      'DELETE FROM ceremony WHERE id = ? AND kind = ? AND exp > ? RETURNING challenge, invite_hash',
    );
    this.#count = db.prepare('SELECT count(*) AS open FROM ceremony WHERE kind = ?');
    this.#dropOldest = db.prepare(
      'DELETE FROM ceremony WHERE id = (SELECT id FROM ceremony WHERE kind = ? ORDER BY exp LIMIT 1)',
    );
    this.#sweep = db.prepare('DELETE FROM ceremony WHERE exp <= ?');
  }

  open(id: string, kind: CeremonyKind, { challenge, invite_hash }: Ceremony, exp: number): void {
    this.#insert.run(id, kind, challenge, invite_hash, exp);
    if ((this.#count.get(kind)?.open ?? 0) > this.capacity) this.#dropOldest.run(kind);
  }

  /** The ceremony, if it is open; it is not any more, whatever comes of the answer. */
  take(id: string, kind: CeremonyKind, now: number): Ceremony | undefined {
    return this.#take.get(id, kind, now);
  }

  sweep(now: number): void {
    this.#sweep.run(now);
  }
}
