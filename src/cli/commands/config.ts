import type { Command } from 'commander';

export function addConfigCommands(bridge: Command): void {
  const config = bridge
    .command('config')
    .description('bridge.config.yaml: check it, or print its JSON Schema')
    .addHelpText('after', '\nExample:\n  bridge config check bridge.config.yaml');
  config
    .command('check')
    .description('say everything that is wrong with a configuration file, where, and what to do')
    .argument('[file]', 'the file', 'bridge.config.yaml')
    .addHelpText('after', '\nExample:\n  bridge config check bridge.config.yaml')
    .action(async (file: string) => {
      const { checkConfig } = await import('../gateway/check.js');
      process.exitCode = checkConfig(file);
    });
  config
    .command('schema')
    .description('print the JSON Schema by which editors complete the file')
    .addHelpText('after', '\nExample:\n  bridge config schema > bridge.config.schema.json')
    .action(async () => {
      const { gatewayJsonSchema } = await import('../gateway/schema.js');
      process.stdout.write(`${JSON.stringify(gatewayJsonSchema(), null, 2)}\n`);
    });
}
