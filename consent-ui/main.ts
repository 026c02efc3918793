#!/usr/bin/env node
import { Command } from 'commander';
import { join } from 'node:path';
import type { RecordEntry } from '../src/contract/wire.js';
import { ConfigError } from './server/config.js';
import { ConsentUiRecord } from './server/record.js';
import { DATABASE_FILE, serve } from './server/serve.js';
import { openDatabase } from './server/store/database.js';

/** The consent page's program: `serve` runs it, `record` prints its log. */
const program = new Command('consent-ui').description('The page on which a person approves');

program
  .command('serve')
  .description('run the consent page; prints one line of JSON when it listens')
  .requiredOption('--data <dir>', 'data directory, with config.json')
  .addHelpText('after', '\nExample: node dist/consent-ui/main.js serve --data ./data/consent-ui')
  .action(async ({ data }: { data: string }) => {
    const { url, stop } = await serve(data);
    process.stdout.write(`${JSON.stringify({ ready: 'consent-ui', url })}\n`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void stop().then(() => process.exit(0), fail));
    }
  });

program
  .command('record')
  .description('print the record of the consent page, oldest entry first')
  .requiredOption('--data <dir>', 'data directory')
  .option('--after <seq>', 'only entries after this number', '0')
  .option('--json', 'one JSON object a line')
  .addHelpText(
    'after',
    '\nExample: node dist/consent-ui/main.js record --data ./data/consent-ui --json',
  )
  .action(({ data, after, json }: { data: string; after: string; json?: true }) => {
    const record = new ConsentUiRecord(openDatabase(join(data, DATABASE_FILE)), Date.now);
    let last = Number(after);
    for (let page = record.entriesAfter(last); page.length > 0; page = record.entriesAfter(last)) {
      for (const entry of page) {
        process.stdout.write(`${json ? JSON.stringify(entry) : lineOf(entry)}\n`);
        last = entry.seq;
      }
    }
  });

function lineOf({ seq, at_ms, event, ...facts }: RecordEntry): string {
  return `${seq}  ${new Date(at_ms).toISOString()}  ${event}  ${JSON.stringify(facts)}`;
}

function fail(error: unknown): never {
  const message = error instanceof ConfigError ? error.message : String(error);
  process.stderr.write(`consent-ui: ${message}\n`);
  process.exit(1);
}

program.parseAsync().catch(fail);
