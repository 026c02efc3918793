import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BoundedLog } from '../../../src/cli/bounded-log.js';
import { temporaryDirectory } from './temporary-directory.js';

test('lines are timed and prefixed, the file is 0600, the last ones are remembered', () => {
  const path = join(temporaryDirectory(), 'log');
  const log = new BoundedLog(path, 'vault');
  for (let i = 1; i <= 7; i += 1) log.write(`line ${i}`);
  expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[vault\] line 1\n/);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(log.last).toEqual(['line 3', 'line 4', 'line 5', 'line 6', 'line 7']);
});

test('a log past its limit is set aside once, so it never grows for ever', () => {
  const path = join(temporaryDirectory(), 'log');
  writeFileSync(path, 'x'.repeat(5 * 1024 * 1024 + 1));
  new BoundedLog(path, 'rs').write('after');
  expect(statSync(path).size).toBeLessThan(100);
  expect(existsSync(`${path}.1`)).toBe(true);
});
