/** RESULTS.md between its two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { EXCLUDED } from './areas.mjs';

const file = fileURLToPath(new URL('RESULTS.md', import.meta.url));

export async function writeResults(areas, minutes) {
  const text = readFileSync(file, 'utf8');
  const measured = [
    `Measured ${new Date().toISOString().slice(0, 10)}: ${cpus().length} cores, Node ${process.version}, ${Math.ceil(minutes)} minutes.`,
    '',
    '| area | mutants | killed | timeout | survived | score | sentences left out |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...areas.map(
      ({ area, mutants, killed, timeout, survived, score, sentences }) =>
        `| ${area} | ${mutants} | ${killed} | ${timeout} | ${survived} | ${score.toFixed(2)} % | ${sentences} |`,
    ),
    '',
    '**Files left out**',
    '',
    ...Object.entries(EXCLUDED).map(([glob, reason]) => `- \`${glob}\`: ${reason}.`),
    '',
    ...areas.flatMap(({ area, survivors }) => [
      `**Survivors in ${area}**`,
      '',
      ...(survivors.length === 0 ? ['None.'] : table(survivors)),
      '',
    ]),
  ];
  const next = text.replace(
    /(<!-- measured -->\n)[^]*(<!-- \/measured -->)/,
    (_all, begin, end) => `${begin}\n${measured.join('\n')}\n${end}`,
  );
  writeFileSync(file, await prettier.format(next, { parser: 'markdown', printWidth: 120 }));
}

export function survivorLine({ file: at, line, from, to, reached, reason }) {
  const missed = reached ? '' : ' (no test reaches it)';
  return `${at}:${line}  ${short(from)}  =>  ${short(to)}${missed}  ${reason ?? 'NO REASON GIVEN'}`;
}

function table(survivors) {
  return [
    '| where | code | mutation | reason |',
    '| --- | --- | --- | --- |',
    ...survivors.map(
      ({ file: at, line, from, to, reason }) =>
        `| \`${at}:${line}\` | ${code(from)} | ${code(to)} | ${reason ?? '**none given**'} |`,
    ),
  ];
}

function short(text) {
  return text.length <= 70 ? text : `${text.slice(0, 69)}…`;
}

function code(text) {
  const cell = short(text).replaceAll('|', '\\|');
  return cell.includes('`') ? `\`\` ${cell} \`\`` : `\`${cell === '' ? ' ' : cell}\``;
}
