/** What was found, as RESULTS.md. */
import { type Loss, type ScenarioRow, type Tally, total } from './compare.js';
import type { Suite } from './run-suite.js';

export interface Run {
  readonly suite: Suite;
  readonly rows: readonly ScenarioRow[];
}

/** Markdown. */
export function resultsOf(runs: readonly Run[], date: string): string {
  const sums = runs.map(({ suite, rows }) => [
    suite.revision,
    suite.version,
    rows.length,
    cellOf(total(rows, 'direct')),
    cellOf(total(rows, 'gateway')),
    rows.flatMap(({ lost }) => lost).length,
  ]);
  return `
Run ${date} on Node ${process.versions.node}.

${table(['revision', 'suite', 'scenarios', 'direct', 'gateway', 'lost'], sums)}

${runs.map(sectionOf).join('\n\n')}
`;
}

function sectionOf({ suite, rows }: Run): string {
  const lost = rows.flatMap((row) => row.lost);
  return `## ${suite.revision}, suite ${suite.version}

${table(
  ['scenario', 'direct', 'gateway'],
  rows.map(({ scenario, direct, gateway }) => [scenario, cellOf(direct), cellOf(gateway)]),
)}
${lost.length === 0 ? '' : `\n${lost.map(lineOf).join('\n')}\n`}`;
}

export function lineOf({ scenario, check, now, why }: Loss): string {
  return `- ${scenario}: ${check} is ${now}${why === '' ? '' : `: ${why}`}`;
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
