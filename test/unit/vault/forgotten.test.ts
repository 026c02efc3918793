import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../vault/store/open.js';
import { Sweep } from '../../../vault/store/sweep.js';

const NOW = 1_800_000_000;
let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'forgotten-'))));
afterEach(() => rmSync(directory, { recursive: true }));

it('what may have been forgotten stays refused, however far the clock goes back', () => {
  const sweep = new Sweep(openDatabase(directory));
  sweep.checkRemembered(NOW);
  sweep.run(NOW + 10 * 3600);
  sweep.run(NOW);
  expect(() => sweep.checkRemembered(NOW)).toThrow(
    expect.objectContaining({ code: 'CredentialExpired', layer: 'vault' }),
  );
  sweep.checkRemembered(NOW + 9 * 3600);
});

it('a store of the version before is brought up to date', () => {
  const db = openDatabase(directory);
  db.exec('DROP TABLE forgotten');
  db.pragma('user_version = 1');
  db.close();
  new Sweep(openDatabase(directory)).checkRemembered(0);
});
