import type { Command } from 'commander';
import { Argument } from 'commander';
import type { DemoName } from '../demo-names.js';
import { DEMOS } from '../demo-names.js';
import { dataOption } from './data-option.js';

export function addDemoCommand(bridge: Command): void {
  bridge
    .command('demo')
    .description('show one property at a time, as [OK] and [REJECTED] lines')
    .addArgument(new Argument('<which>', 'the property to show').choices(DEMOS))
    .addOption(dataOption())
    .addHelpText(
      'after',
      '\nExit code 0 only if everything went as claimed.\n\nExample:\n  bridge demo replay',
    )
    .action(async (which: DemoName, options: { readonly data: string }) => {
      const { demo } = await import('../demo.js');
      process.exitCode = await demo(which, options.data);
    });
}
