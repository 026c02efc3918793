import type { Command } from 'commander';
import { wholeNumber } from '../usage-error.js';
import { dataOption } from './data-option.js';

interface IssueOptions {
  readonly data: string;
  readonly subject: string;
  readonly client: string;
  readonly scopes: string;
  readonly ttl?: number;
  readonly json?: true;
}

export function addTokenCommands(bridge: Command): void {
  const token = bridge
    .command('token')
    .description('bearer tokens of MCP clients')
    .addHelpText('after', '\nExample:\n  bridge token list');
  token
    .command('issue')
    .description('make a token; it is shown once and stored only as a hash')
    .requiredOption('--subject <id>', 'for whom the client acts; by default also who may approve')
    .requiredOption('--client <id>', 'the client that will hold the token')
    .requiredOption('--scopes <list>', 'comma-separated, e.g. tasks.read,tasks.write')
    .option('--ttl <seconds>', 'how long it is good for', wholeNumber(1, 31_536_000))
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  bridge token issue --subject alice@example.com --client my-agent --scopes tasks.read,tasks.write',
    )
    .action(async ({ data, subject, client, scopes, ttl, json }: IssueOptions) => {
      const lifetime = ttl === undefined ? [] : ['--ttl', String(ttl)];
      const caller = ['--subject', subject, '--client', client, '--scopes', scopes];
      await operate(data, ['token', 'issue', ...caller, ...lifetime], json);
    });
  token
    .command('list')
    .description('tokens that are good now (never the tokens themselves)')
    .addOption(dataOption())
    .option('--json', 'one JSON object a line')
    .addHelpText('after', '\nExample:\n  bridge token list --json')
    .action(({ data, json }: { data: string; json?: true }) =>
      operate(data, ['token', 'list'], json),
    );
  token
    .command('revoke')
    .description('make a token worthless at once')
    .requiredOption('--token-id <id>', 'as `bridge token list` shows it')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  bridge token revoke --token-id 0123456789abcdef')
    .action(({ data, tokenId }: { data: string; tokenId: string }) =>
      operate(data, ['token', 'revoke', '--token-id', tokenId]),
    );
}

async function operate(data: string, args: readonly string[], json?: true): Promise<void> {
  const { runDomain } = await import('../domain-command.js');
  process.stdout.write(await runDomain(data, 'bridge', json ? [...args, '--json'] : args));
}
