/** The figures as one object, and as the table of RESULTS.md. */

/** Commits that one mint and one execution wait for: the signature spent, the execution started, its outcome stored. */
const COMMITS = 3;

/** Rounds that must have been quiet before a figure by the clock counts as met or missed. */
const ENOUGH = 3;

/** Adds what the targets are about to what was measured. Times in milliseconds unless a name says otherwise. */
export function figuresOf(measured) {
  const { compared, canonical, full } = measured;
  const { bare1, commitAlone, inProcess64, http64, http1, guardDurable } = compared;
  // What one core could do if it did nothing but these signatures.
  const bareCore = 1e6 / compared.bare64.cpuMicros;
  const aloneSum = bare1.p50 + COMMITS * commitAlone.p50;
  const ofBare = 'of bare crypto on one core';
  const targets = [
    atLeast(0.9, `in process, 64 in flight, ${ofBare}`, inProcess64.perSecond / bareCore, [
      inProcess64,
    ]),
    atLeast(0.6, `over HTTP, 64 in flight, ${ofBare}`, http64.perSecond / bareCore, [http64]),
    atMost(4, 'alone over HTTP, p50, of the bare operations and fsyncs', http1.p50 / aloneSum, [
      http1,
      bare1,
      commitAlone,
    ]),
    guardDurable &&
      atLeast(
        4,
        'in process, of the guard made durable',
        inProcess64.perSecond / guardDurable.perSecond,
        [inProcess64, guardDurable],
      ),
    // By CPU time, which others do not change.
    atLeast(1.2, 'canonicalization, of npm canonicalize', canonical.ratio, []),
    atMost(1.2, `${full.rows} live rows, of an empty store`, full.ratio, []),
  ];
  return { ...measured, bareCore, aloneSum, targets: targets.filter(Boolean) };
}

function atLeast(wanted, what, reached, series) {
  return judged({ what, wanted: `at least ${wanted}`, reached }, reached >= wanted, series);
}

function atMost(wanted, what, reached, series) {
  return judged({ what, wanted: `at most ${wanted}`, reached }, reached <= wanted, series);
}

function judged({ what, wanted, reached }, holds, series) {
  const quiet = series.every(({ quietRounds }) => quietRounds >= ENOUGH);
  const verdict = quiet ? (holds ? 'met' : 'missed') : 'machine too busy to say';
  return { what, wanted, reached: rounded(reached), verdict };
}

function rounded(value) {
  return Number(value.toFixed(2));
}

/** Markdown. */
export function tableOf(figures) {
  const { machine, crypto, compared, canonical, ready, full, long } = figures;
  const { memory } = long;
  const moments = Object.keys(memory);
  return `
Measured ${machine.date}: ${machine.cores} cores, Node ${machine.node}, thread pool of ${machine.threadPool}, load average ${machine.load.join(', ')}
(before, between, after; ours is part of it).

${table(
  ['target', 'wanted', 'reached', ''],
  figures.targets.map(({ what, wanted, reached, verdict }) => [what, wanted, reached, verdict]),
)}

**Calls.** One call is one mint and one execution. Medians of the rounds in which others used at most a tenth of the
machine (of the three quietest where fewer than three were so quiet). "Others" is the share of the machine they used
meanwhile; with more than a little of it, only the last column compares: what all cores could do by CPU time alone.

${table(
  [
    '',
    'in flight',
    'calls/s',
    'p50 ms',
    'p99 ms',
    'CPU µs per call',
    'quiet rounds',
    'others',
    'of bare crypto',
    'by CPU time',
  ],
  Object.entries(NAMES)
    .filter(([name]) => compared[name] !== undefined)
    .map(([name, [label, inFlight]]) => [label, inFlight, ...cellsOf(name, figures)]),
)}

Bare crypto on one core: ${figures.bareCore.toFixed(0)} calls/s (a second of CPU over what the four signatures take in the pool).
Alone, the bare operations and ${COMMITS} commits take ${figures.aloneSum.toFixed(2)} ms.

**Bare operations.** CPU µs, called directly and through the thread pool with 64 in flight.

${table(
  ['operation', 'direct', 'in the pool'],
  Object.entries(crypto).map(([name, { direct, pooled }]) => [
    name,
    direct.toFixed(0),
    pooled.toFixed(0),
  ]),
)}

**Canonicalization** of ${canonical.bytes} bytes: ${canonical.ours.toFixed(2)} µs, npm canonicalize ${canonical.theirs.toFixed(2)} µs.

**Live rows.** In process with ${full.rows} live rows ${full.fullMicros.toFixed(0)} µs of CPU per call, with none ${full.emptyMicros.toFixed(0)} µs; by the clock ${full.timeRatio.toFixed(2)} times.

**Start to ready.** ${Object.entries(ready)
    .map(([domain, ms]) => `${domain} ${ms.toFixed(0)} ms`)
    .join(', ')}.

**Memory** over ${long.executions} executions, resident MiB. Rows for used things at the end: vault ${long.usedRows.before.vault}, rs ${long.usedRows.before.rs}; after a sweep when all are over
${long.usedRows.after.vault} and ${long.usedRows.after.rs}.

${table(
  ['', ...moments],
  ['vault', 'rs'].map((domain) => [
    domain,
    ...moments.map((moment) => memory[moment][domain].toFixed(0)),
  ]),
)}
`;
}

function cellsOf(name, { compared, bareCore, machine }) {
  const { perSecond, p50, p99, cpuMicros, quietRounds, rounds, foreign } = compared[name];
  const atBest = (machine.cores * 1e6) / cpuMicros;
  return [
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    cpuMicros.toFixed(0),
    `${quietRounds} of ${rounds}`,
    `${(foreign * 100).toFixed(0)} %`,
    ...(CALLS.test(name)
      ? [perSecond, atBest].map((rate) => (rate / bareCore).toFixed(2))
      : ['', '']),
  ];
}

const CALLS = /^(inProcess|http)/;
const NAMES = {
  inProcess64: ['in process', 64],
  inProcess16: ['in process', 16],
  inProcess1: ['in process', 1],
  http64: ['over HTTP', 64],
  http16: ['over HTTP', 16],
  http1: ['over HTTP', 1],
  bare64: ['the four signatures alone, in the pool', 64],
  bare1: ['the four signatures alone, in the pool', 1],
  guard: ['agent-passport-system guard, in memory', 64],
  guardDurable: ['that guard, one fsync per use', 64],
  commitAlone: ['bare commit of one row', 1],
  commitGrouped: ['bare commit of 64 rows', 1],
};

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
