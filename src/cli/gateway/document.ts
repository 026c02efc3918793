import { LineCounter, type Node, type YAMLMap, isMap, isNode, isScalar, parseDocument } from 'yaml';
import type { Finding, Placed } from './finding.js';

/** A YAML (and so also JSON) file whose members know where they stand. */
export class ConfigDocument {
  private readonly lines = new LineCounter();
  private readonly document;

  constructor(text: string) {
    this.document = parseDocument(text, {
      lineCounter: this.lines,
      // A member twice is an error: readers disagree on which of them counts.
      uniqueKeys: true,
      strict: true,
      version: '1.2',
      merge: false,
    });
  }

  /** What is wrong with the file as YAML. */
  get syntax(): readonly Placed[] {
    return this.document.errors.map(({ pos: [at], message }) => {
      const [problem = message] = message.split('\n');
      return {
        ...this.place(at),
        path: [],
        problem: problem.replace(/ at line \d+, column \d+:?$/, ''),
        fix: 'correct the YAML (or JSON) here',
      };
    });
  }

  /** As plain values. Aliases are bounded, so that a small file cannot become a large one. */
  get value(): unknown {
    return this.document.toJS({ maxAliasCount: 16 }) as unknown;
  }

  /** Where a finding stands: at its member, or at the nearest one that exists. */
  placed(finding: Finding): Placed {
    for (let { path } = finding; ; path = path.slice(0, -1)) {
      const at = this.offsetOf(path);
      if (at !== undefined) return { ...finding, ...this.place(at) };
      if (path.length === 0) return { ...finding, line: 1, column: 1 };
    }
  }

  private offsetOf(path: readonly PropertyKey[]): number | undefined {
    const [last, parent] = [path.at(-1), path.slice(0, -1)];
    if (last === undefined) return startOf(this.document.contents);
    const within: unknown =
      parent.length === 0 ? this.document.contents : this.document.getIn(parent, true);
    if (isMap(within)) return startOf(keyOf(within, last));
    return startOf(this.document.getIn(path, true));
  }

  private place(offset: number): { line: number; column: number } {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

function keyOf(map: YAMLMap, name: PropertyKey): unknown {
  return map.items.find(
    ({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(name),
  )?.key;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
