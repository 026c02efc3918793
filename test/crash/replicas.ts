/** Several processes of one domain on one store, each listening on a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { type Domain, readJson } from '../../src/cli/data-directory.js';
import { mainOf } from '../../src/cli/processes.js';
import type { Domains } from './domains.js';

const readyLine = z.looseObject({ url: z.url() });
/** Databases and what belongs to them; the rest of a data directory is copied. */
const SHARED = /\.(db|sqlite)$/;
const COPIED = /\.(json|jwk|key)$/;

export class Replicas {
  private constructor(
    private readonly children: readonly ChildProcess[],
    readonly urls: readonly string[],
    /** What they say on stderr. */
    readonly said: readonly string[],
  ) {}

  /** @param domains provisioned, and this domain started at least once, so that its store exists */
  static async start(domains: Domains, domain: Domain, count: number): Promise<Replicas> {
    const said: string[] = [];
    const started = Array.from({ length: count }, (_, n) => {
      const directory = replicaDirectory(domains, domain, n);
      const args = [mainOf(domain), 'serve', '--data', directory];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      createInterface({ input: child.stderr }).on('line', (line) =>
        said.push(`${domain}: ${line}`),
      );
      const url = new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).once('line', (line) =>
          resolve(readyLine.parse(JSON.parse(line)).url),
        );
        child.once('close', () => reject(new Error(said.join('\n'))));
      });
      return { child, url };
    });
    const urls = await Promise.all(started.map(({ url }) => url));
    return new Replicas(
      started.map(({ child }) => child),
      urls,
      said,
    );
  }

  /** Resolves to the exit codes. */
  stop(): Promise<(number | null)[]> {
    return Promise.all(
      this.children.map((child) => {
        const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        return gone;
      }),
    );
  }
}

function replicaDirectory(domains: Domains, domain: Domain, n: number): string {
  const original = domains.dir(domain);
  const directory = join(domains.data, `${domain}-${n}`);
  mkdirSync(directory, { mode: 0o700 });
  for (const file of readdirSync(original)) {
    if (SHARED.test(file)) symlinkSync(join(original, file), join(directory, file));
    else if (COPIED.test(file)) cpSync(join(original, file), join(directory, file));
  }
  const config = z
    .looseObject({ listen: z.looseObject({}) })
    .parse(readJson(join(original, 'config.json')));
  const own = { ...config, listen: { ...config.listen, port: 0 } };
  writeFileSync(join(directory, 'config.json'), JSON.stringify(own), { mode: 0o600 });
  return directory;
}
