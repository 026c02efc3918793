/**
 * `npm run soak -- --minutes N`: mixed load without any fault, while memory and open handles of the four processes are
 * watched. Both must stay flat, nothing may be refused that was not meant to be, and nobody may say anything.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DOMAINS, type Domain } from '../../src/cli/data-directory.js';
import { audit } from './audit.js';
import { Bookkeeper } from './books.js';
import { Domains } from './domains.js';
import { Effects } from './effects.js';
import { everyWriteGated } from './gated-writes.js';
import { Load } from './load.js';
import { pairs } from './people.js';
import { type Sample, growth } from './growth.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, seconds: { type: 'string', default: '45' } },
});
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60;
const SAMPLE_EVERY_MS = 1000;
const AGENTS = 6;
const PEOPLE = 24;

function sample(domain: Domain): Sample {
  const pid = domains.pid(domain);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN);
  return { megabytes: kilobytes / 1024, handles: readdirSync(`/proc/${pid}/fd`).length };
}

const domains = await (await Domains.provision(everyWriteGated)).start();
const people = await pairs(domains, PEOPLE);
const effects = new Effects(domains.dir('rs'));
const books = new Bookkeeper(domains);
books.read();
const load = new Load(domains, people, effects, 1);

const samples: Record<Domain, Sample[]> = { vault: [], rs: [], 'consent-ui': [], bridge: [] };
const started = performance.now();
load.start(AGENTS);
while (performance.now() - started < seconds * 1000) {
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
  for (const domain of DOMAINS) samples[domain].push(sample(domain));
}
const errands = await load.drain();

const unexpected = errands.flatMap(({ wish, log }) =>
  log
    .filter((line) => /lost|error|not-done (?!declined|RateLimited)/.test(line))
    .map((line) => `${wish.key}: ${line}`),
);
const found = audit(errands, books.read(), effects);
const grown = DOMAINS.map((domain) => ({ domain, ...growth(samples[domain]) }));
const problems = [
  ...found.problems,
  ...(found.indeterminate > 0 ? [`${found.indeterminate} outcomes indeterminate`] : []),
  ...unexpected,
  ...domains.said,
  ...domains.deaths,
  ...grown.flatMap(({ domain, problems: all }) => all.map((problem) => `${domain}: ${problem}`)),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  [
    `${seconds} s, ${errands.length} wishes (${(errands.length / seconds).toFixed(1)} a second), executed: ${found.executed}`,
    ...grown.map(({ domain, figures }) => `${domain.padEnd(10)} ${figures}`),
    `violations: ${problems.length}`,
    '',
  ].join('\n'),
);
await load.close();
await domains.stop();
process.exit(problems.length === 0 ? 0 : 1);
