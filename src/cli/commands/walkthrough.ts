import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { dataOption } from './data-option.js';

export interface WalkthroughOptions {
  readonly data: string;
  readonly tier: '1' | '2';
  readonly carrier: 'mcp' | 'a2a';
  readonly depth: number;
  readonly pause?: true;
  readonly browser?: true;
}

function depthOf(text: string): number {
  if (/^[1-6]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A number of hops from 1 to 6.');
}

export function addWalkthroughCommand(bridge: Command): void {
  bridge
    .command('walkthrough')
    .description('tell the whole story on real parts, then attack them')
    .addOption(
      new Option(
        '--tier <tier>',
        '1: one process and a shared secret; 2: four processes and a passkey',
      )
        .choices(['1', '2'])
        .default('2'),
    )
    .addOption(
      new Option(
        '--carrier <carrier>',
        'mcp: one agent; a2a: a chain of agents, on stacks of its own',
      )
        .choices(['mcp', 'a2a'])
        .default('mcp'),
    )
    .addOption(
      new Option('--depth <hops>', 'a2a: hops from the first agent to the last')
        .default(3)
        .argParser(depthOf),
    )
    .option('--pause', 'wait for Enter before each chapter')
    .option('--browser', 'tier 2: sign in a real Chromium with a virtual authenticator')
    .addOption(dataOption())
    .addHelpText(
      'after',
      '\nUses the stack that `bridge up` runs on the data directory, else starts one on a temporary directory.' +
        '\n\nExample:\n  bridge walkthrough --tier 2 --pause',
    )
    .action(async (options: WalkthroughOptions) => {
      const { walkthrough } = await import('../walkthrough.js');
      process.exitCode = await walkthrough(options);
    });
}
