/** Runs one of this folder's programs as `npm run` does, for a test. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** @returns its exit code and everything it wrote on stdout */
export function runProgram(
  name: string,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const script = join(import.meta.dirname, 'run.mjs');
  const child = spawn(process.execPath, [script, name, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve) =>
    child.once('close', (code) => resolve({ code: code ?? 1, text })),
  );
}
