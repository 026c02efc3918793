import type { Command } from 'commander';
import { Option } from 'commander';
import { DOMAINS } from '../data-directory.js';
import type { Domain } from '../data-directory.js';
import { wholeNumber } from '../usage-error.js';
import { dataOption } from './data-option.js';

export interface TailOptions {
  readonly data: string;
  readonly domain?: Domain;
  readonly lines: number;
  readonly json?: true;
  readonly follow?: true;
}

export function addRecordCommands(bridge: Command): void {
  const record = bridge
    .command('record')
    .description('what each domain wrote down')
    .addHelpText('after', '\nExample:\n  bridge record tail');
  record
    .command('tail')
    .description('the newest entries of all four records, merged by time')
    .addOption(new Option('--domain <name>', 'of one domain only').choices(DOMAINS))
    .option('--lines <n>', 'how many', wholeNumber(1, 100_000), 50)
    .option('--json', 'one JSON object a line')
    .option('--follow', 'go on as entries are written')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  bridge record tail --domain rs --follow')
    .action(async (options: TailOptions) => {
      const { tailRecord } = await import('../record-tail.js');
      await tailRecord(options, process.stdout);
    });
}
