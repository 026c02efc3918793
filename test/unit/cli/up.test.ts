/** The commands against four real processes, as their users run them. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Agent } from '../../../src/cli/agent.js';
import { domainDir } from '../../../src/cli/data-directory.js';
import { freePorts, isTaken } from '../../../src/cli/ports.js';
import { portsOf, provision } from '../../../src/cli/provision.js';
import { bridge, CLI } from './run-cli.js';

const directory = mkdtempSync(join(tmpdir(), 'consent-bridge-cli-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Up {
  readonly child: ChildProcess;
  readonly first: {
    readonly mcp_url: string;
    readonly token: string;
    readonly consent_url: string;
  };
}

async function up(data: string, ...args: string[]): Promise<Up> {
  const child = spawn(process.execPath, [CLI, 'up', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`up ended with ${code}`)));
  });
  return { child, first: JSON.parse(line) as Up['first'] };
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', resolve));
}

async function provisioned(name: string): Promise<string> {
  const data = join(directory, name);
  provision(data, await freePorts());
  return data;
}

async function nothingListens(data: string): Promise<boolean> {
  return !(await Promise.all(Object.values(portsOf(data)).map(isTaken))).includes(true);
}

/** True once it holds; polls, because the end of a process that nobody waits for has no event. */
async function soon(holds: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

describe('on a running stack', () => {
  let data: string;
  let stack: Up;
  beforeAll(async () => {
    data = await provisioned('shared');
    stack = await up(data);
  }, 60_000);
  afterAll(async () => {
    stack.child.kill('SIGTERM');
    expect(await ended(stack.child)).toBe(0);
    expect(await nothingListens(data)).toBe(true);
    expect(existsSync(join(data, 'up.json'))).toBe(false);
  }, 30_000);

  test('the first line says where everything is', () => {
    const { mcp_url, token, consent_url } = stack.first;
    const ports = portsOf(data);
    expect(mcp_url).toBe(`http://127.0.0.1:${ports.bridge}/mcp`);
    expect(consent_url).toBe(`http://localhost:${ports['consent-ui']}`);
    expect(token).toMatch(/^cb_/);
  });

  test('the test token works', async () => {
    const agent = await Agent.connect(stack.first.mcp_url, stack.first.token, 'test');
    expect(await agent.tools()).toContain('delete_task');
    await agent.close();
  });

  test('a second up on the same data is refused, and says by which process', async () => {
    const { code, stderr } = await bridge('up', '--data', data);
    expect(code).toBe(1);
    expect(stderr).toContain(`in use by process ${stack.child.pid}`);
  });

  test('everything the stack wrote is for its owner alone', async () => {
    const { stdout, code } = await bridge('doctor', '--data', data, '--json');
    expect(code).toBe(0);
    expect(stdout).toContain('the vault publishes 1 key');
  });

  test('every demo goes as claimed', { timeout: 90_000 }, async () => {
    const { code, stdout } = await bridge('demo', 'all', '--data', data);
    expect(stdout).not.toContain('[DIFFERS]');
    expect(code).toBe(0);
    expect(
      stdout.match(/^\[REJECTED\] \w+ \((vault|rs|dispatcher|consent-ui|approver)\) /gm)?.length,
    ).toBeGreaterThan(40);
  });

  test('the records of all four are one, by time', async () => {
    const { stdout } = await bridge('record', 'tail', '--data', data, '--json', '--lines', '1000');
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at_ms: number; domain: string });
    expect(new Set(entries.map(({ domain }) => domain))).toEqual(
      new Set(['bridge', 'consent-ui', 'vault', 'rs']),
    );
    const times = entries.map(({ at_ms }) => at_ms);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test(
    'a terminal approver enrols a local key, reads, approves once, and is revoked',
    { timeout: 60_000 },
    async () => {
      const alice = ['--approver', 'alice@example.com'];
      const key = join(directory, 'alice.jwk');
      const done = async (...args: string[]): Promise<string> => {
        const ran = await bridge(...args, ...(args.includes('keygen') ? [] : ['--data', data]));
        expect([args, ran.code, ran.stderr]).toEqual([args, 0, '']);
        return ran.stdout;
      };
      await done('approver', 'keygen', '--out', key, ...alice);
      await done('approver', 'add-key', ...alice, '--key', key);
      await done('approver', 'trust', ...alice, '--yes');
      const [listed] = z
        .object({ keys: z.array(z.looseObject({ vault: z.string(), rs: z.string() })) })
        .parse(JSON.parse(await done('approver', 'list', ...alice, '--json'))).keys;
      expect(listed).toMatchObject({ vault: 'enrolled', rs: 'trusted', scheme: 'eddsa' });
      const issued = await done(
        'token',
        'issue',
        '--subject',
        'alice@example.com',
        '--client',
        'c',
        '--scopes',
        'tasks.read,tasks.write',
        '--json',
      );
      const agent = await Agent.connect(
        stack.first.mcp_url,
        (JSON.parse(issued) as { token: string }).token,
        'c',
      );
      const { task } = (await agent.need('create_task', { title: 'Mine' })) as {
        task: { id: string };
      };
      const asked = await agent.call('delete_task', { task_id: task.id });
      if (asked.kind !== 'approval') throw new Error(asked.kind);

      const unasked = await bridge('approve', asked.url, '--key', key, '--data', data);
      expect(unasked.code).toBe(2);
      expect(unasked.stdout).toContain(`task_id: "${task.id}"`);
      expect((await agent.call('delete_task', { task_id: task.id })).kind).toBe('approval');

      await done('approve', asked.consentId, '--key', key, '--yes');
      expect(await agent.call('delete_task', { task_id: task.id })).toMatchObject({
        kind: 'result',
      });
      expect(
        (await bridge('approve', asked.consentId, '--key', key, '--yes', '--data', data)).code,
      ).toBe(1);
      await agent.close();

      await done('approver', 'revoke', ...alice);
      expect(await done('approver', 'list', ...alice)).toContain(
        'vault: revoked   resource server: revoked',
      );
      expect((await bridge('approver', 'revoke', ...alice, '--data', data)).code).toBe(1);
    },
  );
});

test(
  'up --walkthrough --once: everything as claimed, exit code 0, nothing left running',
  { timeout: 60_000 },
  async () => {
    const data = await provisioned('once');
    const { code, stdout } = await bridge('up', '--data', data, '--walkthrough', '--once');
    expect(stdout).not.toContain('[DIFFERS]');
    expect(code).toBe(0);
    expect([...stdout.matchAll(/^\[REJECTED\] (\w+ \(\w+\))/gm)].map(([, by]) => by)).toEqual([
      'SignatureMismatch (vault)',
      'CredentialDrift (rs)',
      'SignatureReplay (vault)',
      'WrongClient (rs)',
      'CredentialReplay (rs)',
      'ApprovalRequired (rs)',
      'UnknownApprover (vault)',
      'SignatureMismatch (vault)',
      'UnknownIssuer (rs)',
      'CredentialExpired (vault)',
    ]);
    expect(await nothingListens(data)).toBe(true);
    const logs = readdirSync(data, { recursive: true }).filter((name) =>
      String(name).endsWith('/log'),
    );
    for (const log of logs)
      expect(readFileSync(join(data, String(log)), 'utf8')).not.toMatch(/\n\s+at /);
  },
);

test(
  'a resource server that gates nothing is noticed: exit code 1, and what differed',
  { timeout: 60_000 },
  async () => {
    const data = await provisioned('broken');
    const file = join(domainDir(data, 'rs'), 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8')) as {
      commands: { delete_task: { mode: string } };
    };
    config.commands.delete_task.mode = 'open';
    writeFileSync(file, JSON.stringify(config));
    const { code, stdout } = await bridge('up', '--data', data, '--walkthrough', '--once');
    expect(code).toBe(1);
    expect(stdout).toContain('[DIFFERS]');
  },
);

test(
  'when one process dies, up says which, stops the others and exits with 1',
  { timeout: 60_000 },
  async () => {
    const data = await provisioned('dies');
    const { child } = await up(data);
    const running = JSON.parse(readFileSync(join(data, 'up.json'), 'utf8')) as {
      bridge_pid: number;
    };
    process.kill(running.bridge_pid, 'SIGKILL');
    expect(await ended(child)).toBe(1);
    expect(await nothingListens(data)).toBe(true);
  },
);

test('when up itself is killed, the four end with it', { timeout: 60_000 }, async () => {
  const data = await provisioned('orphans');
  const { child } = await up(data);
  child.kill('SIGKILL');
  await ended(child);
  expect(await soon(() => nothingListens(data))).toBe(true);
});

test(
  'a domain that cannot start: its own words, exit code 1, the others stopped',
  { timeout: 60_000 },
  async () => {
    const data = await provisioned('wrong');
    const file = join(domainDir(data, 'vault'), 'config.json');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"rp_id": "localhost"', '"rp_id": "127.0.0.1"'),
    );
    const { code, stderr } = await bridge('up', '--data', data);
    expect(code).toBe(1);
    expect(stderr).toMatch(/vault did not start:[^]*webauthn\.rp_id[^]*localhost/);
    expect(await nothingListens(data)).toBe(true);
  },
);
