import type { Command } from 'commander';
import { dataOption } from './data-option.js';

export function addDoctorCommand(bridge: Command): void {
  bridge
    .command('doctor')
    .description('say what is misconfigured and how to fix it')
    .addOption(dataOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code 1 if anything is wrong.\n\nExample:\n  bridge doctor --data ./data',
    )
    .action(async (options: { readonly data: string; readonly json?: true }) => {
      const { doctor } = await import('../doctor/doctor.js');
      process.exitCode = await doctor(options, process.stdout);
    });
}
