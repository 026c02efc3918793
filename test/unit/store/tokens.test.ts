import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../../../src/core.js';

const alice = { subject: 'alice', client_id: 'agent', scopes: ['tasks.read'] };
let dir: string;
let now: number;
const open = (): ReturnType<typeof openStores> => openStores(dir, () => now);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bridge-'));
  now = 1_000_000_000_000;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a local token', () => {
  it('names its caller, survives a restart, and dies at its deadline', () => {
    const first = open();
    const { token } = first.tokens.issue(alice, 60);
    first.db.close();
    const { tokens } = open();
    expect(tokens.callerOf(token)?.caller).toEqual(alice);
    now += 60_000;
    expect(tokens.callerOf(token)).toBeUndefined();
  });

  it('is nowhere in the files, and the files are the owner’s alone', () => {
    const { tokens, db } = open();
    const { token } = tokens.issue(alice, 60);
    db.pragma('wal_checkpoint(TRUNCATE)');
    const file = readFileSync(join(dir, 'bridge.db'));
    expect(file.includes(token)).toBe(false);
    expect(file.includes(token.slice(3))).toBe(false);
    expect(statSync(join(dir, 'bridge.db')).mode & 0o077).toBe(0);
  });

  it('stops working at once when revoked, in every process', () => {
    const one = open();
    const two = open();
    const issued = one.tokens.issue(alice, 60);
    expect(two.tokens.callerOf(issued.token)).toBeDefined();
    expect(one.tokens.revoke(issued.token_id)).toBe(true);
    expect(two.tokens.callerOf(issued.token)).toBeUndefined();
    expect(one.tokens.revoke(issued.token_id)).toBe(false);
  });

  it.each(['', 'cb_', 'cb_x', 'Bearer', '\u0000'])('is not guessed: %j', (token) => {
    expect(open().tokens.callerOf(token)).toBeUndefined();
  });
});

describe('the record', () => {
  it('has one entry for each event and cannot be rewritten', () => {
    const { tokens, db, record } = open();
    const issued = tokens.issue(alice, 60);
    tokens.revoke(issued.token_id);
    const entries = record.entriesAfter(0);
    expect(entries.map(({ event }) => event)).toEqual(['token.issued', 'token.revoked']);
    expect(JSON.stringify(entries)).not.toContain(issued.token);
    expect(() => db.exec(`UPDATE record SET event = 'x'`)).toThrow();
    now = Date.now();
    tokens.issue(alice, 60);
    expect(() => db.exec(`DELETE FROM record WHERE seq = 3`)).toThrow();
  });

  it('is swept of what is older than its keep', () => {
    const { tokens, record } = open();
    tokens.issue(alice, 60);
    record.sweep(now + 1);
    expect(record.entriesAfter(0)).toEqual([]);
  });
});
