/** All four records as one, by time. Each domain prints its own; nothing reads another's store. */
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { displayText } from '../contract/display.js';
import type { RecordEntry } from '../contract/wire.js';
import type { TailOptions } from './commands/record.js';
import type { Domain } from './data-directory.js';
import { DOMAINS } from './data-directory.js';
import { runDomain } from './domain-command.js';
import type { Palette } from './palette.js';
import { palette } from './palette.js';

/** Milliseconds between looks; each look starts a program per domain. */
const FOLLOW_EVERY = 2000;

const entry = z.looseObject({
  seq: z.number(),
  at_ms: z.number(),
  domain: z.enum(DOMAINS),
  event: z.string(),
});

export async function tailRecord(options: TailOptions, out: NodeJS.WriteStream): Promise<void> {
  const paint = palette(out);
  const print = (entries: readonly RecordEntry[]): void => {
    for (const one of entries)
      out.write(`${options.json ? JSON.stringify(one) : line(one, paint)}\n`);
  };
  const domains = options.domain ? [options.domain] : DOMAINS;
  const seen = new Map<Domain, number>();
  print((await newEntries(options.data, domains, seen)).slice(-options.lines));
  while (options.follow) {
    await wait(FOLLOW_EVERY);
    print(await newEntries(options.data, domains, seen));
  }
}

async function newEntries(
  data: string,
  domains: readonly Domain[],
  seen: Map<Domain, number>,
): Promise<RecordEntry[]> {
  const records = await Promise.all(
    domains.map(async (domain) => {
      const after = seen.get(domain);
      const args = ['record', '--json', ...(after === undefined ? [] : ['--after', String(after)])];
      const lines = (await runDomain(data, domain, args)).split('\n').filter(Boolean);
      const entries = lines.map((text) => entry.parse(JSON.parse(text)));
      const last = entries.at(-1);
      if (last) seen.set(domain, last.seq);
      return entries;
    }),
  );
  return records.flat().sort((a, b) => a.at_ms - b.at_ms);
}

/** `time domain number event member=value …`; text that came from outside is made visible by the one renderer. */
function line({ seq, at_ms, domain, event, ...members }: RecordEntry, paint: Palette): string {
  const time = new Date(at_ms).toISOString().slice(11, 23);
  const details = Object.entries(members).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `${paint.dim(`${name}=`)}${displayText(text)}`;
  });
  return `${paint.dim(time)} ${domain.padEnd(10)} ${String(seq).padStart(4)} ${paint.bold(event.padEnd(22))} ${details.join(' ')}`;
}
