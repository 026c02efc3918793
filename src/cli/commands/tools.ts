import type { Command } from 'commander';
import { UsageError } from '../usage-error.js';
import { dataOption } from './data-option.js';

interface AcceptOptions {
  readonly all?: true;
  readonly digest?: string;
}

export function addToolsCommands(bridge: Command): void {
  const tools = bridge
    .command('tools')
    .description('tools of upstream servers: what is pinned, what changed, what the policy says')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  bridge tools --data ./data')
    .action(async ({ data, json }: { data: string; json?: true }) => {
      const { listTools } = await import('../gateway/tools.js');
      process.stdout.write(await listTools(data, json === true));
    });
  tools
    .command('diff')
    .description('how tools differ from the definitions you accepted')
    .argument('[tool]', 'only this one')
    .addHelpText('after', '\nExample:\n  bridge tools diff files__write_file')
    .action(async (tool: string | undefined, _: unknown, command: Command) => {
      const { data } = command.optsWithGlobals<{ data: string }>();
      const { runDomain } = await import('../domain-command.js');
      const only = tool === undefined ? [] : ['--tool', tool];
      process.stdout.write(await runDomain(data, 'rs', ['tools-diff', ...only]));
    });
  tools
    .command('accept')
    .description('let changed tools be called again, as they are now')
    .argument('[tools...]', 'their names')
    .option('--all', 'every changed tool')
    .option('--digest <digest>', 'only if it is now what `bridge tools diff` showed as this')
    .addHelpText('after', '\nExample:\n  bridge tools accept files__write_file')
    .action(async (names: string[], { all, digest }: AcceptOptions, command: Command) => {
      if (names.length > 0 === (all === true)) throw new UsageError('name the tools, or say --all');
      if (digest !== undefined && names.length !== 1)
        throw new UsageError('--digest goes with one tool');
      const only = digest === undefined ? [] : ['--digest', digest];
      const { data } = command.optsWithGlobals<{ data: string }>();
      const { runDomain } = await import('../domain-command.js');
      const chosen = all === true ? [['--all']] : names.map((name) => ['--tool', name]);
      for (const which of chosen)
        process.stdout.write(await runDomain(data, 'rs', ['tools-accept', ...which, ...only]));
    });
}
