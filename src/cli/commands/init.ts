import type { Command } from 'commander';

export interface InitOptions {
  readonly import?: string;
  readonly out: string;
  readonly yes?: true;
  readonly force?: true;
}

export function addInitCommand(bridge: Command): void {
  bridge
    .command('init')
    .description('write a bridge.config.yaml, from a few questions or from what a client has')
    .option(
      '--import <file>',
      'take the servers from .mcp.json, .vscode/mcp.json or claude_desktop_config.json',
    )
    .option('--out <file>', 'where to write', 'bridge.config.yaml')
    .option('--yes', 'ask nothing: import what there is')
    .option('--force', 'replace the file if it exists')
    .addHelpText(
      'after',
      '\nExample:\n  bridge init --import .mcp.json --yes --out bridge.config.yaml',
    )
    .action(async (options: InitOptions) => {
      const { init } = await import('../gateway/init.js');
      process.exitCode = await init(options);
    });
}
