/** Stryker's report (mutation-testing-elements schema) as figures, and the survivors with the reasons given for them. */
import { reasonFor } from './survivors.mjs';

/** Not counted: sentences (prose.mjs). */
const LEFT_OUT = 'Ignored';

export function summaryOf(area, { files }) {
  const count = { Killed: 0, Survived: 0, NoCoverage: 0, Timeout: 0, RuntimeError: 0, Ignored: 0 };
  const survivors = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const mutant of mutants) {
      count[mutant.status] += 1;
      if (mutant.status !== 'Survived' && mutant.status !== 'NoCoverage') continue;
      survivors.push(survivorOf(file, lines, mutant));
    }
  }
  const mutants = Object.entries(count)
    .filter(([status]) => status !== LEFT_OUT)
    .reduce((sum, [, n]) => sum + n, 0);
  // A mutant that cannot even be loaded, or never ends, has been noticed.
  const noticed = count.Killed + count.RuntimeError + count.Timeout;
  return {
    area,
    mutants,
    killed: count.Killed + count.RuntimeError,
    survived: count.Survived + count.NoCoverage,
    timeout: count.Timeout,
    sentences: count.Ignored,
    score: Math.floor((noticed / mutants) * 10_000) / 100,
    survivors: survivors.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line),
  };
}

function survivorOf(file, lines, { location: { start, end }, mutatorName, replacement, status }) {
  const inLines = lines.slice(start.line - 1, end.line);
  inLines[inLines.length - 1] = inLines.at(-1).slice(0, end.column - 1);
  inLines[0] = inLines[0].slice(start.column - 1);
  const survivor = {
    ...{ file, line: start.line, column: start.column, operator: mutatorName },
    from: oneLine(inLines.join('\n')),
    to: oneLine(replacement),
    reached: status === 'Survived',
    source: lines[start.line - 1].trim(),
  };
  return { ...survivor, reason: reasonFor(survivor) };
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ');
}
