import type { Command } from 'commander';
import { wholeNumber } from '../usage-error.js';
import { dataOption } from './data-option.js';

interface DataOption {
  readonly data: string;
}
export interface InviteOptions extends DataOption {
  readonly approver: string;
  readonly ttl?: number;
  readonly json?: true;
}
export interface ListOptions extends DataOption {
  readonly approver?: string;
  readonly json?: true;
}
export interface TrustOptions extends DataOption {
  readonly approver: string;
  readonly keyId?: string;
  readonly yes?: true;
}
export interface RevokeOptions extends DataOption {
  readonly approver?: string;
  readonly keyId?: string;
}
export interface KeygenOptions {
  readonly out: string;
  readonly approver?: string;
}
export interface AddKeyOptions extends DataOption {
  readonly approver: string;
  readonly key: string;
  readonly label: string;
}

export function addApproverCommands(bridge: Command): void {
  const approver = bridge
    .command('approver')
    .description('the people who may approve, and their keys')
    .addHelpText('after', '\nExample:\n  bridge approver invite --approver alice@example.com');
  approver
    .command('invite')
    .description('make a link with which someone enrols a passkey, once')
    .requiredOption('--approver <id>', 'who, e.g. alice@example.com')
    .option('--ttl <seconds>', 'how long the link is good for', wholeNumber(1, 604_800))
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  bridge approver invite --approver alice@example.com --ttl 900',
    )
    .action(async (options: InviteOptions) => {
      const { invite } = await import('../approvers/invite.js');
      await invite(options);
    });
  approver
    .command('list')
    .description('keys the vault has enrolled and the resource server has pinned')
    .option('--approver <id>', 'of one approver only')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bridge approver list')
    .action(async (options: ListOptions) => {
      const { list } = await import('../approvers/list.js');
      await list(options);
    });
  approver
    .command('trust')
    .description('pin an enrolled key at the resource server, after you compared its thumbprint')
    .requiredOption('--approver <id>', 'whose key')
    .option('--key-id <thumbprint>', 'which key (default: all active ones)')
    .option('--yes', 'do not ask')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  bridge approver trust --approver alice@example.com')
    .action(async (options: TrustOptions) => {
      const { trust } = await import('../approvers/trust.js');
      await trust(options);
    });
  approver
    .command('revoke')
    .description('end a key, or all keys of an approver, at vault and resource server')
    .option('--key-id <thumbprint>', 'one key')
    .option('--approver <id>', 'all keys of this approver')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  bridge approver revoke --approver alice@example.com')
    .action(async (options: RevokeOptions) => {
      const { revoke } = await import('../approvers/revoke.js');
      await revoke(options);
    });
  approver
    .command('keygen')
    .description('make a local Ed25519 key for approving in a terminal')
    .requiredOption('--out <file>', 'private JWK to write (0600); never overwritten')
    .option('--approver <id>', 'named in the file, so that `bridge approve` need not ask')
    .addHelpText(
      'after',
      '\nExample:\n  bridge approver keygen --out alice.jwk --approver alice@example.com',
    )
    .action(async (options: KeygenOptions) => {
      const { keygen } = await import('../approvers/local-key.js');
      keygen(options);
    });
  approver
    .command('add-key')
    .description('enrol the public half of a local key at the vault')
    .requiredOption('--approver <id>', 'whose key')
    .requiredOption('--key <file>', 'JWK; only its public half is used')
    .option('--label <text>', 'a name for it', 'terminal key')
    .addOption(dataOption())
    .addHelpText(
      'after',
      '\nExample:\n  bridge approver add-key --approver alice@example.com --key alice.jwk',
    )
    .action(async (options: AddKeyOptions) => {
      const { addKey } = await import('../approvers/local-key.js');
      await addKey(options);
    });
}
