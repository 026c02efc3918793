/** `node dist/rs/main.js`: the resource server as a program, and its operator's commands on the same data directory. */
import { Command, InvalidArgumentError } from 'commander';
import { readConfig, readableByOthers } from './config.js';
import type { TrustOptions } from './operator.js';
import { listApprovers, revoke, seedTasks, trust } from './operator.js';
import { newJti } from './new-jti.js';
import { compose } from './serve.js';
import { openDomainStores } from './store/domain-stores.js';
import { acceptTools, diffTools, listTools } from './tool-operator.js';

const clock = () => Date.now();

function complain(error: unknown): void {
  process.stderr.write(`rs: ${error instanceof Error ? error.message : String(error)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function serve(dataDir: string): Promise<void> {
  const config = readConfig(dataDir);
  for (const path of readableByOthers(dataDir)) {
    complain(`warning: ${path} can be read by other users; chmod it to the owner alone`);
  }
  const { app, close } = await compose(config, {
    dataDir,
    clock,
    newJti: () => newJti(clock()),
    reportError: complain,
    env: process.env,
    print: (line) => process.stderr.write(`${line}\n`),
  });
  const url = await app.listen(config.listen);
  const stop = () => {
    close().then(() => process.exit(0), fail);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  print(JSON.stringify({ ready: 'rs', url }));
}

function fail(error: unknown): never {
  complain(error);
  process.exit(1);
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number, please');
  return Number(text);
}

interface Shared {
  readonly data: string;
  readonly json?: boolean;
}

const program = new Command('rs').description(
  'Resource server: verifies everything again, then acts',
);
const command = (name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .requiredOption('--data <dir>', 'data directory of the resource server');
const operator = (name: string, description: string) =>
  command(name, description).option('--json', 'print JSON');

command('serve', 'Listen, and print one line of JSON when ready').action((o: Shared) =>
  serve(o.data),
);

operator('trust', 'Pin a public key of an approver, and show its thumbprint')
  .requiredOption('--approver <id>')
  .requiredOption('--public-jwk <file|json>')
  .option('--credential-id <id>', 'WebAuthn credential id; needed for a passkey')
  .option('--scheme <scheme>', 'webauthn, eddsa or es256; by default what the key fits')
  .option('--label <text>')
  .action(async (o: Shared & TrustOptions) => {
    const key = await trust(o.data, clock, o);
    print(
      o.json ? JSON.stringify(key) : `${key.approver_id} trusts ${key.scheme} key ${key.key_id}`,
    );
  });

operator('list-approvers', 'Every key ever pinned, with its state').action(async (o: Shared) => {
  const keys = await listApprovers(o.data, clock);
  if (o.json) print(JSON.stringify({ keys }));
  else
    for (const key of keys) {
      const state = key.revoked ? 'revoked' : 'active';
      print(`${state.padEnd(8)}${key.approver_id}  ${key.key_id}  ${key.scheme}  ${key.label}`);
    }
});

operator('revoke', 'Stop trusting one key, or every key of an approver')
  .option('--key-id <thumbprint>')
  .option('--approver <id>')
  .action(async (o: Shared & { keyId?: string; approver?: string }) => {
    if ((o.keyId === undefined) === (o.approver === undefined)) {
      throw new Error('name either --key-id or --approver');
    }
    const revoked = await revoke(o.data, clock, o);
    print(o.json ? JSON.stringify({ revoked }) : `revoked: ${revoked.join(' ') || 'none'}`);
    if (revoked.length === 0) process.exitCode = 1;
  });

operator('record', 'Print the record, oldest entry first')
  .option('--after <seq>', 'only entries with a larger sequence number', wholeNumber, 0)
  .action((o: Shared & { after: number }) => {
    const stores = openDomainStores(o.data, clock);
    for (const { seq, at_ms, domain, event, ...data } of stores.record.after(o.after)) {
      const at = new Date(at_ms).toISOString();
      print(
        o.json
          ? JSON.stringify({ seq, at_ms, domain, event, ...data })
          : `${seq}  ${at}  ${event}  ${JSON.stringify(data)}`,
      );
    }
    stores.close();
  });

operator('seed-tasks', 'Add example tasks')
  .requiredOption('--titles <list>', 'titles separated by commas', (text: string) =>
    text.split(',').filter((title) => title !== ''),
  )
  .option('--if-empty', 'only if there is no task yet', false)
  .action((o: Shared & { titles: string[]; ifEmpty: boolean }) => {
    const created = seedTasks(o.data, clock, o);
    print(o.json ? JSON.stringify({ created }) : `created: ${created.join(' ') || 'none'}`);
  });

operator(
  'tools',
  'Every upstream tool ever seen, and whether it is still what was accepted',
).action((o: Shared) => {
  const tools = listTools(o.data, clock);
  if (o.json) print(JSON.stringify({ tools }));
  else for (const { state, name, digest } of tools) print(`${state.padEnd(9)}${name}  ${digest}`);
});

operator('tools-diff', 'What changed in tool definitions since they were accepted')
  .option('--tool <name>', 'only this command')
  .action((o: Shared & { tool?: string }) => {
    const diffs = diffTools(o.data, clock, o.tool);
    print(o.json ? JSON.stringify({ diffs }) : diffs.join('\n\n') || 'nothing changed');
  });

operator('tools-accept', 'Accept changed tool definitions as they are now')
  .option('--tool <name>', 'this command')
  .option('--all', 'every changed one')
  .option('--digest <digest>', 'only if this is what it is now, as tools-diff says')
  .action(async (o: Shared & { tool?: string; all?: boolean; digest?: string }) => {
    if ((o.tool === undefined) === (o.all === undefined)) {
      throw new Error('name either --tool or --all');
    }
    const accepted = await acceptTools(o.data, clock, o);
    if (accepted.length === 0)
      throw new Error(`there is no such change; tools-diff shows what changed`);
    print(o.json ? JSON.stringify({ accepted }) : `accepted: ${accepted.join(' ')}`);
  });

program.parseAsync().catch(fail);
