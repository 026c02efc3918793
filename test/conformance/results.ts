/** What was found, as RESULTS.md. */
import { type Loss, type ScenarioRow, type Tally, total } from './compare.js';
import type { Revision, Suite } from './run-suite.js';

export interface Run {
  readonly suite: Suite;
  /** What the gateway speaks to the server behind it. */
  readonly upstream: Revision;
  readonly rows: readonly ScenarioRow[];
}

/** Markdown. */
export function resultsOf(runs: readonly Run[], date: string): string {
  const sums = runs.map(({ suite, upstream, rows }) => [
    suite.revision,
    upstream,
    suite.version,
    rows.length,
    cellOf(total(rows, 'direct')),
    cellOf(total(rows, 'gateway')),
    rows.flatMap(({ lost }) => lost).length,
  ]);
  return `
Run ${date} on Node ${process.versions.node}.

${table(['client', 'upstream', 'suite', 'scenarios', 'direct', 'gateway', 'lost'], sums)}

${runs.map(sectionOf).join('\n\n')}
`;
}

function sectionOf({ suite, upstream, rows }: Run): string {
  const lost = rows.flatMap((row) => row.lost);
  return `## Client ${suite.revision} (suite ${suite.version}), upstream ${upstream}

${table(
  ['scenario', 'direct', 'gateway'],
  rows.map(({ scenario, direct, gateway }) => [scenario, cellOf(direct), cellOf(gateway)]),
)}
${lost.length === 0 ? '' : `\nLost:\n\n${lost.map((loss) => `- ${lineOf(loss)}`).join('\n')}\n`}`;
}

export function lineOf({ scenario, check, now, why, accepted }: Loss): string {
  const meant = accepted === undefined ? [] : [`Meant to be so: ${accepted}.`];
  const words = [...(why === '' ? [] : [why]), ...meant].join(' ');
  return `${scenario}, ${check}: ${now}${words === '' ? '' : `. ${words}`}`;
}

function cellOf({ passed, warned, failed }: Tally): string {
  const rest = [
    ...(warned > 0 ? [`${warned} warned`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return [`${passed} passed`, ...rest].join(', ');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
