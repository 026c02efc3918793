import { execFile } from 'node:child_process';
import type { Domain } from '../../src/cli/data-directory.js';
import { mainOf } from '../../src/cli/processes.js';

/** Runs an operator command of a domain's own program. Resolves to stdout; rejects with the exit code and stderr. */
export function runDomain(domain: Domain, dir: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [mainOf(domain), ...args, '--data', dir],
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${args.join(' ')}: exit ${error.code ?? '?'}: ${stderr}`));
      },
    );
  });
}
