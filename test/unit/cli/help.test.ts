import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { program } from '../../../src/cli/program.js';
import { bridge } from './run-cli.js';

function tree(command: Command, path: string): [string, Command][] {
  const below = command.commands.flatMap((one) => tree(one, `${path} ${one.name()}`));
  return [[path, command], ...below];
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('--help', () => {
  test.each(tree(program(), 'bridge'))('%s shows an example of itself', (path, command) => {
    const [, example = ''] = helpOf(command).split('Example:\n');
    expect(example.trim()).toMatch(new RegExp(`^${path}( |$)`));
    expect(example.trim().split('\n')).toHaveLength(1);
  });

  test('every command says in one line what it does', () => {
    for (const [path, command] of tree(program(), 'bridge'))
      expect([path, command.description()]).toEqual([path, expect.stringMatching(/^[^\n]{8,}$/)]);
  });
});

test.each([
  [['--help'], 0],
  [['--version'], 0],
  [['demo', '--help'], 0],
  [[], 2],
  [['frobnicate'], 2],
  [['up', '--frobnicate'], 2],
  [['up', '--port-base', 'many'], 2],
  [['demo', 'everything'], 2],
  [['walkthrough', '--tier', '3'], 2],
  [['token', 'issue', '--subject', 'a'], 2],
  [['approver', 'revoke'], 2],
  [['approve', 'not/an/id', '--key', '/dev/null'], 1],
])('bridge %j exits with %i', async (args, code) => {
  const ran = await bridge(...args);
  expect(ran.code).toBe(code);
  if (code !== 0) expect(ran.stderr).not.toMatch(/\n\s+at /);
});
