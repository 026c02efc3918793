import { execFile } from 'node:child_process';
import type { Domain } from './data-directory.js';
import { domainDir } from './data-directory.js';
import { mainOf } from './processes.js';

/**
 * Runs an operator command of a domain as its own program on its own data directory, so that the CLI never holds a
 * domain's code or store. Returns what it printed; throws its last line when it failed.
 */
export function runDomain(data: string, domain: Domain, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [mainOf(domain), ...args, '--data', domainDir(data, domain)],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const words = stderr.trim().split('\n').pop();
        if (error) reject(new Error(words ? words : error.message));
        else resolve(stdout);
      },
    );
  });
}

/** The same with `--json`, parsed. */
export async function askDomain(
  data: string,
  domain: Domain,
  args: readonly string[],
): Promise<unknown> {
  const stdout = await runDomain(data, domain, [...args, '--json']);
  return JSON.parse(stdout);
}
