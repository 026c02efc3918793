#!/usr/bin/env node
/**
 * `npm run bench:gateway`: what the gateway adds to an open call, beside the same server without it and behind npm
 * `mcp-proxy`, in the same run; and what connected clients cost. Writes GATEWAY.md; with `--json` prints the figures.
 *
 *   --rounds N   rounds of the comparison (9)
 *   --calls N    calls of one round with one in flight; four times as many with 16 (150)
 *   --json       print JSON, write nothing
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { PROXY, openWays } from './gateway-ways.mjs';
import { crowd } from './gateway-crowd.mjs';
import { tableOf } from './gateway-table.mjs';
import { drive, summary } from './measure.mjs';

const PAGE = fileURLToPath(new URL('GATEWAY.md', import.meta.url));
const MEASURED = /(?<=<!-- measured -->\n)[^]*(?=<!-- \/measured -->)/;
const IN_FLIGHT = [1, 16];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    calls: { type: 'string', default: '150' },
    json: { type: 'boolean', default: false },
  },
});
const say = (line) => process.stderr.write(`${line}\n`);
const loads = [loadavg()[0]];
const machine = {
  date: new Date().toISOString().slice(0, 10),
  cores: availableParallelism(),
  node: process.version,
  proxy: PROXY,
};

const figures = { machine, calls: await calls(), crowd: await crowd(say) };
loads.push(loadavg()[0]);
machine.load = loads.map((load) => Number(load.toFixed(1)));
if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
else {
  const table = tableOf(figures);
  process.stdout.write(table);
  const page = readFileSync(PAGE, 'utf8').replace(MEASURED, () => table);
  const style = await resolveConfig(PAGE);
  writeFileSync(PAGE, await format(page, { ...style, parser: 'markdown' }));
}

/** Every way in turn within each round, so that what others do to the machine hits all alike. */
async function calls() {
  const ways = await openWays();
  try {
    const rounds = new Map();
    for (const way of ways) await drive(Array(100).fill(0), 4, way.call);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      say(`round ${round + 1} of ${values.rounds}`);
      for (const inFlight of IN_FLIGHT)
        for (const way of ways) {
          const inputs = Array(Number(values.calls) * (inFlight === 1 ? 1 : 4)).fill(0);
          const key = JSON.stringify([way.name, inFlight]);
          const measured = await drive(inputs, inFlight, way.call, way.cpuMicros);
          rounds.set(key, [...(rounds.get(key) ?? []), measured]);
        }
    }
    loads.push(loadavg()[0]);
    return [...rounds].map(([key, measured]) => {
      const [name, inFlight] = JSON.parse(key);
      return { name, inFlight, ...summary(measured) };
    });
  } finally {
    for (const way of ways) await way.close();
  }
}
