import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../../src/cli/package-root.js';

export const CLI = join(packageRoot(), 'dist', 'src', 'cli', 'main.js');

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `bridge …` as a program, with nobody at its terminal. */
export function bridge(...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
    child.stdin?.end();
  });
}
