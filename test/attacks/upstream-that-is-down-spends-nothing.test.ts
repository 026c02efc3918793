/**
 * Claim: A call whose upstream cannot be reached, or whose arguments its schema refuses, spends no approval.
 * Enforced by: rs/checks/check-reachable.ts, rs/checks/check-input.ts
 */
import { expect } from 'vitest';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attack } from '../support/attack.js';
import { GATED, refusedWith, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack('refused while it is down, and the same approval runs once it is up', async ({ world }) => {
  const folder = UpstreamServer.folder();
  const [script, away] = [join(folder, 'server.mjs'), join(folder, 'away.mjs')];
  const target = JSON.stringify(join(import.meta.dirname, '../support/upstream-servers/raw.mjs'));
  writeFileSync(script, `await import(${target});`);
  const shop = { command: process.execPath, args: [script], idle_ms: 1 };
  const rs = await UpstreamServer.start(
    world,
    { upstreams: { shop }, commands: { '*': GATED } },
    'shop',
  );
  expect(textOf(await rs.last(await rs.approved('shop__echo', { a: 1 })))).toContain('"a":1');

  const approved = await rs.approved('shop__echo', { a: 2 });
  renameSync(script, away);
  expect(refusedWith(await rs.last(approved))).toEqual({ code: 'Unavailable', layer: 'rs' });
  expect(
    refusedWith(await rs.last(await rs.approved('shop:resources/read', { uri: 1 }))),
  ).toMatchObject({
    code: 'MalformedRequest',
  });
  renameSync(away, script);
  expect(existsSync(script)).toBe(true);
  expect(textOf(await rs.last(approved))).toContain('"a":2');
  expect(refusedWith(await rs.last(approved))).toEqual({ code: 'CredentialReplay', layer: 'rs' });
});
