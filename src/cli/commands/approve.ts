import type { Command } from 'commander';
import { dataOption } from './data-option.js';

export interface ApproveOptions {
  readonly data: string;
  readonly key: string;
  readonly approver?: string;
  readonly origin?: string;
  readonly yes?: true;
}

export function addApproveCommand(bridge: Command): void {
  bridge
    .command('approve')
    .description('read one request for approval in the terminal and sign it with a local key')
    .argument('<consent>', 'consent id, or the link the client showed')
    .requiredOption('--key <file>', 'private JWK, as `bridge approver keygen` makes it')
    .option('--approver <id>', 'who signs (default: the one named in the key file)')
    .option('--origin <url>', 'of the consent page (default: as the data directory says)')
    .option('--yes', 'approve without asking')
    .addOption(dataOption())
    .addHelpText(
      'after',
      '\nShows everything first: who asks, every argument, the hash of the bytes to sign, the time left.' +
        '\n\nExample:\n  bridge approve 3vQ… --key alice.jwk',
    )
    .action(async (consent: string, options: ApproveOptions) => {
      const { approve } = await import('../approve.js');
      process.exitCode = await approve(consent, options);
    });
}
