import type { Command } from 'commander';
import { wholeNumber } from '../usage-error.js';
import { dataOption } from './data-option.js';

export interface UpOptions {
  readonly data: string;
  readonly walkthrough?: true;
  readonly once?: true;
  readonly portBase?: number;
  readonly config?: string;
}

export function addUpCommand(bridge: Command): void {
  bridge
    .command('up')
    .description(
      'start vault, rs, consent-ui and bridge as four processes, and say how to use them',
    )
    .addOption(dataOption())
    .option(
      '--config <file>',
      'bridge.config.yaml: the MCP servers to stand before, and their policy',
    )
    .option('--walkthrough', 'then run the walkthrough against them')
    .option('--once', 'stop after that; non-zero exit code if anything differed')
    .option(
      '--port-base <n>',
      'first of four ports in a row (default: 8420)',
      wholeNumber(1024, 65_532),
    )
    .addHelpText('after', '\nExample:\n  bridge up --config bridge.config.yaml --data ./data')
    .action(async (options: UpOptions) => {
      const { up } = await import('../up.js');
      process.exitCode = await up(options);
    });
}
