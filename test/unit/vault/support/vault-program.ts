/** The vault as a program of its own, bundled from the sources so that a test needs no build. */
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

/** Bundles vault/main.ts where its packages can be resolved. Call `remove` when done. */
export async function bundleVault(): Promise<{ program: string; remove: () => void }> {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'vault-program-'));
  const outfile = join(directory, 'main.mjs');
  await build({
    entryPoints: [join(root, 'vault/main.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  });
  const remove = () => {
    rmSync(directory, { recursive: true, force: true });
  };
  return { program: outfile, remove };
}

export interface ServedVault {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote to stderr so far. */
  readonly log: () => string;
}

/** Starts `serve` and waits for its line. Killed when the test is over, if it still runs. */
export async function serveVault(program: string, directory: string): Promise<ServedVault> {
  const child = spawn(process.execPath, [program, 'serve', '--data', directory], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(`the vault exited: ${log}`);
    }),
  ]);
  const ready = JSON.parse(String(line)) as { ready: string; url: string };
  if (ready.ready !== 'vault') throw new Error(`not ready: ${String(line)}`);
  return { url: ready.url, process: child, log: () => log };
}

/** Runs one command; never rejects. */
export function runVault(program: string, ...args: string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

interface Finished {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}
