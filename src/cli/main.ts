#!/usr/bin/env node
/** `bridge`: the command line. Exit codes: 0 as claimed, 1 something failed or differed, 2 the command line is wrong. */
import { CommanderError } from 'commander';
import { program } from './program.js';
import { UsageError } from './usage-error.js';

// Whoever read the output has seen enough (`| head`).
process.stdout.on('error', () => process.exit(0));

try {
  await program().parseAsync(process.argv);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
// An interrupted story may still wait for an answer that nobody gives any more.
process.exit();

function exitCodeOf(error: unknown): number {
  // Commander has already said what was wrong; asking for help or the version is not.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  process.stderr.write(`bridge: ${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof UsageError ? 2 : 1;
}
