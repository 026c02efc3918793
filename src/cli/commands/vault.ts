import type { Command } from 'commander';
import { wholeNumber } from '../usage-error.js';
import { dataOption } from './data-option.js';

export function addVaultCommands(bridge: Command): void {
  const vault = bridge
    .command('vault')
    .description('keys of the vault')
    .addHelpText('after', '\nExample:\n  bridge vault rotate-key');
  vault
    .command('rotate-key')
    .description('sign credentials with a new key; the old one stays published for the overlap')
    .option(
      '--overlap <seconds>',
      'how long the old key stays published',
      wholeNumber(0, 2_592_000),
    )
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nA running vault picks the new key up without a restart.\n\nExample:\n  bridge vault rotate-key --overlap 3600',
    )
    .action(async ({ data, overlap, json }: { data: string; overlap?: number; json?: true }) => {
      const { runDomain } = await import('../domain-command.js');
      const args = [
        'rotate-key',
        ...(overlap === undefined ? [] : ['--overlap', String(overlap)]),
        ...(json ? ['--json'] : []),
      ];
      process.stdout.write(await runDomain(data, 'vault', args));
    });
}
