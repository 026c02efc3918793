/** Leaving a check out of execute.ts, swapping two, or acting too early does not compile. The compiler itself says so. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Actions, Sender } from '../../../rs/actions/actions.js';
import { checkAudience } from '../../../rs/checks/check-audience.js';
import { checkReachable } from '../../../rs/checks/check-reachable.js';
import { checkUnused } from '../../../rs/checks/check-unused.js';
import type { ResourceServer } from '../../../rs/resource-server.js';
import { runConsumed } from '../../../rs/run.js';
import type { BoundAction, OpenAction, VerifiedClaims } from '../../../rs/states.js';
import { Passed } from '../../../rs/states.js';

const root = join(import.meta.dirname, '../../..');
const file = join(root, 'rs/execute.ts');
const source = readFileSync(file, 'utf8');

interface Step {
  readonly text: string;
  readonly output: string;
  readonly input: string;
}

const STEP = /^ {2}const (\w+)(?:: \w+)? = (?:await )?check\w+\((\w+)[,)].*;$/;
const steps = source.split('\n').flatMap((text): Step[] => {
  const [, output, input] = STEP.exec(text) ?? [];
  return output !== undefined && input !== undefined ? [{ text, output, input }] : [];
});

const renamed = (text: string, from: string, to: string) =>
  text.replace(new RegExp(`\\b${from}\\b`, 'g'), to);

/** execute.ts without one check: what it gave is replaced by what it took. */
function without({ text, output, input }: Step): string {
  const [before = '', after = ''] = source.split(text);
  return before + renamed(after, output, input);
}

/** execute.ts with two neighbours swapped: the second takes what the first took, and the first what the second gave. */
function swapped(first: Step, second: Step): string {
  const [before = '', rest = ''] = source.split(first.text);
  const [between = '', after = ''] = rest.split(second.text);
  return [
    before,
    between,
    second.text.replace(`(${second.input}`, `(${first.input}`),
    first.text.replace(`(${first.input}`, `(${second.output}`),
    renamed(after, second.output, first.output),
  ].join('\n');
}

const mutants = new Map<string, string>([
  ['as it is', source],
  ...steps.map((step): [string, string] => [`without ${step.output}`, without(step)]),
  ...steps.slice(1).map((second, i): [string, string] => {
    const first = steps[i]!;
    return [`with ${first.output} and ${second.output} swapped`, swapped(first, second)];
  }),
]);

/** The compiler's type errors per mutant, all in one program. */
function compile(): Map<string, string> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) =>
    ts.sys.readFile(name),
  );
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const files = new Map([...mutants].map(([name, text], i) => [`${file}-${i}.ts`, { name, text }]));
  host.readFile = (name) => files.get(name)?.text ?? ts.sys.readFile(name);
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
  host.getSourceFile = (name, languageVersion) => {
    const text = host.readFile(name);
    return text === undefined ? undefined : ts.createSourceFile(name, text, languageVersion);
  };
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host);
  return new Map(
    [...files].map(([path, { name }]) => {
      const errors = program.getSemanticDiagnostics(program.getSourceFile(path));
      const texts = errors.map((e) => ts.flattenDiagnosticMessageText(e.messageText, ' '));
      return [name, texts.join('; ')];
    }),
  );
}

describe('execute.ts', () => {
  let errors: Map<string, string>;
  beforeAll(() => {
    errors = compile();
  }, 60_000);

  it('compiles as it is, and its checks are found', () => {
    expect(errors.get('as it is')).toBe('');
    expect(steps).toHaveLength(21);
  });

  it.each([...mutants.keys()].slice(1))('%s: does not compile', (mutant) => {
    expect(errors.get(mutant)).toMatch(/is not assignable to/);
  });
});

describe('states', () => {
  // Never called: it is the compiler that answers, in `npm run types`. Each line below it expects an error.
  const types = async (
    verified: VerifiedClaims,
    bound: BoundAction,
    open: OpenAction,
    actions: Actions,
    sender: Sender,
    rs: ResourceServer,
  ) => {
    // @ts-expect-error verified claims are no action
    await actions.run(verified, sender);
    // @ts-expect-error a bound action is not consumed
    await actions.run(bound, sender);
    // @ts-expect-error an open action has nothing consumed
    await runConsumed(open, rs, sender);
    // @ts-expect-error the input was not checked
    await checkReachable(bound, actions, 'bridge');
    // @ts-expect-error nobody looked whether it can be reached
    await checkUnused(bound, rs.executions, 'bridge');
    // @ts-expect-error a later state is not an earlier one
    checkAudience(bound, rs.resource);
    // @ts-expect-error nobody makes a state
    new Passed('unused', bound.facts);
    // @ts-expect-error one step on, and no further
    bound.pass('unused', bound.facts);
    // @ts-expect-error what has the looks of a state is none
    await actions.run({ check: 'unused', facts: bound.facts, command: '', args: {} }, sender);
    // @ts-expect-error what passed is not changed
    bound.facts.claims = bound.facts.claims;
    await actions.run(open, sender);
  };

  it('are made by the checks alone', () => {
    expect(types).toBeTypeOf('function');
    const folders = ['rs', 'rs/actions', 'rs/store', 'rs/upstream'];
    const others = folders.flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.ts') && name !== 'states.ts')
        .map((name) => join(root, folder, name)),
    );
    expect(others.length).toBeGreaterThan(20);
    const makers = others.filter((name) =>
      /\.pass\(|Passed\.known/.test(readFileSync(name, 'utf8')),
    );
    expect(makers).toEqual([]);
  });
});
