import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What is mutated, and what is not, with the reason. The unit tests of an area alone count for it. */
export const AREAS = {
  contract: ['src/contract/**/*.ts'],
  vault: ['vault/**/*.ts'],
  rs: ['rs/**/*.ts'],
};

/** Files that only processes run: no mutant can be switched on in there, and the tests named see what they do. */
export const EXCLUDED = {
  'vault/main.ts':
    'the command line: test/unit/vault/program.test.ts runs the bundled program, test/attacks the built one',
  'vault/serve.ts':
    'the composition root with socket and timer: test/unit/vault/program.test.ts and test/flows run it as a process',
  'rs/serve.ts':
    'the composition root: every unit test of the area stands on it, and what it puts together is the gateway’s besides',
  'rs/main.ts':
    'the command line: test/unit/rs/main.test.ts runs the bundled program, test/attacks the built one',
};

/** Its tests run other people's servers in processes of their own. */
const GATEWAY =
  'the gateway to other MCP servers, written while these figures were taken; not measured yet';
for (const file of [
  'upstream/**',
  'store/pins.ts',
  'actions/all-actions.ts',
  'tool-operator.ts',
  'definition-diff.ts',
])
  EXCLUDED[`rs/${file}`] = GATEWAY;
for (const file of ['asks.ts', 'line-answer.ts', 'run-routes.ts', 'surface-feed.ts', 'openapi.ts'])
  EXCLUDED[`rs/${file}`] = GATEWAY;

/** The lowest score an area may have, in per cent. */
export const WANTED = 95;

/** Test files of the areas in which no mutant can be switched on. */
const LEFT_OUT = [
  // Python, or the bundled programs, in processes of their own.
  'test/unit/contract/oracle.test.ts',
  'test/unit/contract/canonical-md.test.ts',
  'test/unit/vault/program.test.ts',
  'test/unit/rs/main.test.ts',
  // Reads openapi.ts, which is left out.
  'test/unit/rs/openapi.test.ts',
  // Other people's servers, in processes of their own.
  'test/unit/rs/upstreams.test.ts',
  'test/unit/rs/upstream-faults.test.ts',
  'test/unit/rs/upstream-lanes.test.ts',
  'test/unit/rs/upstream-pins.test.ts',
  // Compiles mutants of execute.ts of its own.
  'test/unit/rs/states.test.ts',
];

/** Tests that measure time, which instrumented code needs more of; and those of whole processes. */
export const SKIPPED_TESTS =
  /about ten times as long|make it quadratic|no time that a person would notice|^other processes/;

export function testFiles(root, area) {
  const folder = `test/unit/${area}`;
  return readdirSync(join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.includes(file))
    .sort();
}
