import type Database from 'better-sqlite3';
import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../contract/wire.js';
import type { AppendRecord } from './record.js';

export interface TokenListing {
  readonly token_id: string;
  readonly subject: string;
  readonly client_id: string;
  readonly scopes: readonly string[];
  readonly created_at: number;
  readonly expires_at: number;
}

export interface KnownCaller {
  readonly caller: Caller;
  readonly expiresAt: number;
  readonly tokenId: string;
}

/** How tokens of {@link TokenStore} begin: what does not begin so is somebody else's token. */
export const TOKEN_PREFIX = 'cb_';

interface Row extends Omit<TokenListing, 'scopes'> {
  readonly scopes: string;
}

/** Local bearer tokens of MCP callers. Only their SHA-256 is stored, so reading the database gives nobody a token. */
export class TokenStore {
  private readonly byHash;
  private readonly byId;
  private readonly insert;
  private readonly remove;
  private readonly all;
  private readonly removeExpired;

  constructor(
    private readonly db: Database.Database,
    private readonly record: AppendRecord,
    private readonly clock: () => number,
  ) {
    this.byHash = db.prepare<[Buffer, number], Row>(
      'SELECT * FROM token WHERE hash = ? AND expires_at > ?',
    );
    this.byId = db.prepare<[string, number], Row>(
      'SELECT * FROM token WHERE token_id = ? AND expires_at > ?',
    );
    this.insert = db.prepare('INSERT INTO token VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.remove = db.prepare('DELETE FROM token WHERE token_id = ?');
    this.all = db.prepare<[], Row>(
      'SELECT token_id, subject, client_id, scopes, created_at, expires_at FROM token ORDER BY created_at',
    );
    this.removeExpired = db.prepare('DELETE FROM token WHERE expires_at <= ?');
  }

  /** Makes a token and stores its hash. The token is returned once and cannot be had again. */
  issue(caller: Caller, ttlSeconds: number): TokenListing & { readonly token: string } {
    const token = `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;
    const created_at = this.now();
    const listing = {
      token_id: randomBytes(8).toString('hex'),
      ...caller,
      created_at,
      expires_at: created_at + ttlSeconds,
    };
    this.db.transaction(() => {
      this.insert.run(
        listing.token_id,
        sha256(token),
        caller.subject,
        caller.client_id,
        JSON.stringify(caller.scopes),
        listing.created_at,
        listing.expires_at,
      );
      this.record('token.issued', {
        token_id: listing.token_id,
        ...caller,
        expires_at: listing.expires_at,
      });
    })();
    return { ...listing, token };
  }

  /** The caller a token stands for, or undefined when it is unknown, revoked or expired. */
  callerOf(token: string): KnownCaller | undefined {
    return knownCaller(this.byHash.get(sha256(token), this.now()));
  }

  /** The caller of a token that was presented earlier, if it still holds. */
  callerOfId(tokenId: string): KnownCaller | undefined {
    return knownCaller(this.byId.get(tokenId, this.now()));
  }

  /** True if there was such a token. */
  revoke(tokenId: string): boolean {
    return this.db.transaction(() => {
      const removed = this.remove.run(tokenId).changes === 1;
      if (removed) this.record('token.revoked', { token_id: tokenId });
      return removed;
    })();
  }

  list(): readonly TokenListing[] {
    return this.all.all().map((row) => ({ ...row, scopes: scopesOf(row) }));
  }

  sweep(): void {
    this.removeExpired.run(this.now());
  }

  private now(): number {
    return Math.floor(this.clock() / 1000);
  }
}

function knownCaller(row: Row | undefined): KnownCaller | undefined {
  if (row === undefined) return undefined;
  const { subject, client_id } = row;
  const caller = { subject, client_id, scopes: scopesOf(row) };
  return { caller, expiresAt: row.expires_at, tokenId: row.token_id };
}

function scopesOf(row: Row): string[] {
  return JSON.parse(row.scopes) as string[];
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
