/**
 * Claim: No entry of any record can be changed, nor removed for 30 days, by whoever holds the database.
 * Enforced by: src/store/database.ts, consent-ui/server/store/database.ts, vault/store/schema.ts, rs/store/record.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { DOMAINS } from '../../src/cli/data-directory.js';
import { recordDatabase } from '../support/record-database.js';

attack(
  'UPDATE, DELETE and REPLACE are refused by all four databases themselves',
  async ({ world }) => {
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
    for (const domain of DOMAINS) {
      const db = recordDatabase(world.stack, domain);
      const before = db.prepare('SELECT * FROM record ORDER BY seq').all();
      expect(before.length, domain).toBeGreaterThan(0);
      for (const sql of [
        "UPDATE record SET event = 'x'",
        'UPDATE record SET at_ms = 0',
        "UPDATE record SET data = '{}' WHERE seq = (SELECT max(seq) FROM record)",
        'DELETE FROM record',
        'DELETE FROM record WHERE seq = (SELECT max(seq) FROM record)',
      ]) {
        expect(() => db.exec(sql), `${domain}: ${sql}`).toThrow(/append.only|kept for 30 days/);
      }
      const after = db.prepare('SELECT * FROM record ORDER BY seq').all();
      expect(after.slice(0, before.length), domain).toEqual(before);
      db.close();
    }
  },
);
