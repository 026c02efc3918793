import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addApproveCommand } from './commands/approve.js';
import { addApproverCommands } from './commands/approver.js';
import { addConfigCommands } from './commands/config.js';
import { addDemoCommand } from './commands/demo.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addInitCommand } from './commands/init.js';
import { addRecordCommands } from './commands/record.js';
import { addTokenCommands } from './commands/token.js';
import { addToolsCommands } from './commands/tools.js';
import { addUpCommand } from './commands/up.js';
import { addVaultCommands } from './commands/vault.js';
import { addWalkthroughCommand } from './commands/walkthrough.js';
import { packageRoot } from './package-root.js';

/** The whole command tree. Each command loads what it runs only when it runs. */
export function program(): Command {
  const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string;
  };
  const bridge = new Command('bridge')
    .description(
      'An agent may propose a destructive action; only a human may authorise it, and only exactly that action.',
    )
    .version(version)
    .exitOverride()
    .showHelpAfterError('(add --help to see how it is used)')
    .addHelpText('after', '\nExample:\n  bridge up --walkthrough');
  addUpCommand(bridge);
  addWalkthroughCommand(bridge);
  addDemoCommand(bridge);
  addApproveCommand(bridge);
  addApproverCommands(bridge);
  addTokenCommands(bridge);
  addInitCommand(bridge);
  addConfigCommands(bridge);
  addToolsCommands(bridge);
  addVaultCommands(bridge);
  addRecordCommands(bridge);
  addDoctorCommand(bridge);
  return bridge;
}
