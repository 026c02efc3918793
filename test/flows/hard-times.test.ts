import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { DOMAINS, type Domain } from '../../src/cli/data-directory.js';
import { runDomain } from '../support/run-domain.js';
import type { AgentLine } from '../crash/agent-line.js';
import { SmallDisks } from '../crash/small-disks.js';
import { type Asked, Stage } from '../crash/stage.js';

const HOUR_MS = 3_600_000;
const eventually = { timeout: 30_000, interval: 50 };

let stage: Stage;
let legacy: AgentLine;
let modern: AgentLine;

async function openStage(data?: string): Promise<void> {
  stage = await Stage.open(data);
  legacy = stage.line('legacy');
  modern = stage.line('modern');
}

/** The same call again and again, as an agent would, until it is carried out. */
async function carriedOut(asked: Asked, line = legacy): Promise<void> {
  await vi.waitFor(async () => {
    const reply = await stage.create(line, asked.key, asked.requestState);
    expect(reply).toMatchObject({ kind: 'success' });
  }, eventually);
  expect(stage.ran(asked)).toBe(1);
}

function stored(domain: Domain, file: string, sql: string): unknown {
  const db = new Database(join(stage.domains.dir(domain), file), { readonly: true });
  try {
    return db.prepare(sql).pluck().get();
  } finally {
    db.close();
  }
}

describe('a process is told to end while it works', () => {
  beforeAll(() => openStage());
  afterAll(() => stage.close());

  it.each([
    ['bridge', /before POST .v1.execute is sent/],
    ['consent-ui', /before GET .v1.consents.:id is answered/],
    ['vault', /before POST .token is answered/],
    ['rs', /before POST .v1.execute is answered/],
  ] as const)('%s answers what is under way, then exits with 0', async (domain, at) => {
    const asked = await stage.askAndApprove(legacy);
    await stage.domains.ambush(domain, at, { signal: 'SIGTERM' });
    expect(await stage.create(legacy, asked.key)).toMatchObject({ kind: 'success' });
    expect(await stage.domains.gone(domain)).toBe(0);
    await stage.domains.up(domain);
    expect(stage.ran(asked)).toBe(1);
  });

  it('a call that only waits for a person is told so at once, and goes on afterwards', async () => {
    const asked = await stage.ask(modern);
    const waits = await stage.domains.ambush('bridge', /before GET .v1.consents.:id is sent/);
    const waiting = stage.create(modern, asked.key, asked.requestState);
    await vi.waitFor(() => expect(waits()).toBe(true), eventually);
    expect(await stage.domains.end('bridge')).toBe(0);
    expect(await waiting).toMatchObject({ kind: 'asked', id: asked.id });
    await stage.domains.up('bridge');
    expect(await stage.approve(asked)).toBe('done');
    await carriedOut(asked, modern);
  });

  it('a result counts as told only once it has left', async () => {
    const asked = await stage.askAndApprove(legacy);
    await stage.domains.ambush('bridge', /before POST .mcp is answered/, { signal: 'SIGKILL' });
    expect(await stage.create(legacy, asked.key)).toMatchObject({ kind: 'lost' });
    await stage.domains.gone('bridge');
    await stage.domains.up('bridge');
    expect(await stage.create(legacy, asked.key)).toMatchObject({ kind: 'success' });
    expect(stage.ran(asked)).toBe(1);
  });
});

describe('the vault is down for a while', () => {
  beforeAll(() => openStage());
  afterAll(() => stage.close());

  it('everybody keeps trying, and afterwards every wish is carried out once', async () => {
    const approved = await Promise.all([1, 2, 3].map(() => stage.askAndApprove(legacy)));
    const pending = await stage.ask(modern);
    await stage.domains.kill('vault');
    for (let tries = 0; tries < 5; tries += 1) {
      for (const asked of approved) {
        const why = 'Unavailable';
        expect(await stage.create(legacy, asked.key)).toEqual({ kind: 'not-done', why });
      }
      expect(await stage.approve(pending)).toBe('Unavailable');
    }
    await stage.domains.up('vault');
    for (const asked of approved) await carriedOut(asked);
    expect(await stage.approve(pending)).toBe('done');
    await carriedOut(pending, modern);
  });
});

describe('the clock jumps an hour', () => {
  beforeAll(() => openStage());
  afterAll(() => stage.close());
  afterEach(async () => {
    await stage.domains.shiftClocks(0);
    await Promise.all(DOMAINS.map((domain) => stage.domains.restart(domain)));
  });

  it('ahead while a person reads: too late to sign, nothing runs, the next call asks anew', async () => {
    const asked = await stage.ask(legacy);
    await stage.domains.shiftClocks(HOUR_MS);
    expect(await stage.approve(asked)).toBe('ConsentExpired');
    const again = await stage.create(legacy, asked.key);
    expect(again).toMatchObject({ kind: 'asked' });
    expect(again).not.toMatchObject({ id: asked.id });
    expect(stage.ran(asked)).toBe(0);
  });

  it('ahead after the action ran and its answer was lost: the answer is what happened', async () => {
    const asked = await stage.askAndApprove(legacy);
    await stage.domains.ambush('rs', /before POST .v1.execute is answered/, { signal: 'SIGKILL' });
    expect(await stage.create(legacy, asked.key)).toMatchObject({ why: 'Unavailable' });
    expect(stage.ran(asked)).toBe(1);
    await stage.domains.up('rs');
    await stage.domains.shiftClocks(HOUR_MS);
    await carriedOut(asked);
  });

  it('back: services still believe each other, limits and caches do not last an hour longer', async () => {
    await carriedOut(await stage.askAndApprove(legacy));
    await stage.domains.shiftClocks(-HOUR_MS);
    // These have forgotten whom they believed, so the others must prove themselves at the new time.
    for (const domain of ['vault', 'rs', 'consent-ui'] as const)
      await stage.domains.restart(domain);
    await runDomain('vault', stage.domains.dir('vault'), ['rotate-key']);
    await carriedOut(await stage.askAndApprove(legacy));
  });

  it.each([
    [
      'an hour ahead and back: what was used is still known',
      HOUR_MS,
      'SignatureReplay',
      'CredentialReplay',
    ],
    [
      'two days ahead and back: what is forgotten is refused',
      48 * HOUR_MS,
      'CredentialExpired',
      'CredentialExpired',
    ],
  ])('%s', async (_, jumpMs, mintedAgain, executedAgain) => {
    const bridge = stage.takenBridge();
    const { approver, subject } = stage.pair;
    const caller = { subject, client_id: 'agent-0', scopes: ['tasks.write'] };
    const args = { title: stage.newKey() };
    const payload = bridge.payload(caller, 'create_task', args, 600);
    await approver.approve(await bridge.propose(payload));
    const signed = await bridge.signed(payload.nonce);
    const credential = await bridge.credential(signed);
    const call = { command: 'create_task', args, caller, signed, credential };
    expect(await bridge.execute(call)).toMatchObject({ status: 200 });

    await stage.domains.shiftClocks(jumpMs);
    for (const domain of ['vault', 'rs'] as const) await stage.domains.restart(domain);
    const swept = Date.now() / 1000 + jumpMs / 1000 - 3 * 3600;
    await vi.waitFor(() => {
      for (const [domain, file] of [
        ['vault', 'vault.db'],
        ['rs', 'rs.db'],
      ] as const)
        expect(stored(domain, file, 'SELECT before FROM forgotten')).toBeGreaterThan(swept);
    }, eventually);
    await stage.domains.shiftClocks(0);

    expect((await bridge.mint(signed)).body).toMatchObject({ code: mintedAgain });
    expect((await bridge.execute(call)).body).toMatchObject({ code: executedAgain });
    expect(stage.ran({ key: args.title })).toBe(1);
  });
});

const mayMount = SmallDisks.possible;
if (!mayMount) process.stderr.write('hard-times: may not mount, so no disk is filled\n');

describe.skipIf(!mayMount)('the disk of', () => {
  let small: SmallDisks;
  beforeAll(async () => {
    small = new SmallDisks();
    await openStage(small.data);
  });
  afterAll(async () => {
    await Promise.all(DOMAINS.map((domain) => stage.domains.end(domain)));
    small.remove();
  });
  afterEach(() => {
    for (const domain of DOMAINS) small.free(domain);
    expect(stage.domains.deaths).toEqual([]);
  });

  it.each(DOMAINS)(
    '%s is full: a typed refusal, and afterwards it is carried out once',
    async (domain) => {
      const asked = await stage.ask(legacy);
      small.fill(domain);
      const answer = await stage.approve(asked);
      if (domain === 'vault' || domain === 'consent-ui') expect(answer).not.toBe('done');
      const reply = await stage.create(legacy, asked.key);
      expect(reply.kind).toBe(answer === 'done' ? 'not-done' : 'asked');
      expect(['Internal', 'Unavailable', undefined]).toContain(
        'why' in reply ? reply.why : undefined,
      );
      expect(stage.ran(asked)).toBe(0);
      small.free(domain);
      expect(await stage.approve(asked)).toBe('done');
      await carriedOut(asked);
    },
  );

  it('consent-ui is full when a deadline passes: it lives, and writes the expiry later', async () => {
    const asked = await stage.ask(legacy);
    small.fill('consent-ui');
    await stage.domains.shiftClocks(HOUR_MS, ['consent-ui']);
    await vi.waitFor(
      () => expect(stage.domains.said.join('\n')).toMatch(/consent-ui: consent-ui: sweep/),
      eventually,
    );
    small.free('consent-ui');
    const sql = `SELECT status FROM consent WHERE id = '${asked.id}'`;
    await vi.waitFor(
      () => expect(stored('consent-ui', 'consent-ui.sqlite', sql)).toBe('expired'),
      eventually,
    );
    await stage.domains.shiftClocks(0, ['consent-ui']);
  });

  it('rs fills up between the start of an action and its end: indeterminate, told at once', async () => {
    const asked = await stage.askAndApprove(legacy);
    const fill = small.filler('rs');
    await stage.domains.ambush('rs', /after the commit of INSERT INTO record/, { fill });
    await stage.create(legacy, asked.key);
    small.free('rs');
    const told = await stage.create(legacy, asked.key);
    expect(told).toEqual({ kind: 'not-done', why: 'ExecutionIndeterminate' });
    expect(stage.ran(asked)).toBeLessThanOrEqual(1);
  });

  it.each(DOMAINS)(
    '%s is read-only at start: one line says so, and it does not listen',
    async (domain) => {
      await stage.domains.end(domain);
      small.writable(domain, false);
      await expect(stage.domains.up(domain)).rejects.toThrow(/did not start/);
      expect(await stage.domains.gone(domain)).toBe(1);
      const [line = ''] = stage.domains.said.slice(-1);
      expect(line).toMatch(new RegExp(`^${domain}: ${domain}: .*(read-?only|EROFS)`, 'i'));
      small.writable(domain, true);
      stage.domains.deaths.length = 0;
      await stage.domains.up(domain);
      await carriedOut(await stage.askAndApprove(legacy));
    },
  );
});
