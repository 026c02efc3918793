/**
 * Stands in for vitest while mutants run: what the unit tests of contract, vault and rs use of it, with vitest's own
 * `expect` and spies. Tests are collected as their file is loaded, and can be run one by one without a worker for each.
 */
import * as chai from 'chai';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  getState,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from '@vitest/expect';
import { restoreAllMocks, spyOn } from '@vitest/spy';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = (value, message) => chai.expect(value, message);
Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
expect.getState = () => getState(expect);
expect.setState = (state) => setState(state, expect);
globalThis[GLOBAL_EXPECT] = expect;
setState({ assertionCalls: 0 }, expect);

export const vi = {
  spyOn,
  restoreAllMocks,
  setConfig: () => undefined,
  async waitFor(condition, { timeout = 1000, interval = 50 } = {}) {
    for (const started = Date.now(); ;) {
      try {
        return await condition();
      } catch (error) {
        if (Date.now() - started > timeout) throw error;
        await new Promise((resolve) => setTimeout(resolve, interval));
      }
    }
  },
};

/** A test that takes longer hangs. */
const TEST_MS = 8000;

let suite;
let finishing;

function newSuite(name, parent) {
  return { name, parent, tests: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

/** Loads one file of tests. @returns the tests in it, in their order, each with an id that is its own. */
export async function collect(file, url) {
  const root = newSuite('', undefined);
  const tests = [];
  suite = root;
  root.collected = tests;
  await import(url);
  const seen = new Map();
  for (const test of tests) {
    const name = [...lineage(test.suite).map((at) => at.name), test.name]
      .filter(Boolean)
      .join(' > ');
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    Object.assign(test, {
      file,
      title: name,
      id: `${file}#${name}${nth === 1 ? '' : ` (${nth})`}`,
    });
  }
  return tests;
}

function lineage(of) {
  return of === undefined ? [] : [...lineage(of.parent), of];
}

function describeOne(name, define) {
  const outer = suite;
  suite = newSuite(name, outer);
  suite.collected = outer.collected;
  try {
    define();
  } finally {
    suite = outer;
  }
}

function testOne(name, ...rest) {
  suite.collected.push({ name, suite, body: rest.find((part) => typeof part === 'function') });
}

/** `each` names its cases by their number: the name only has to be the case's own. */
const withEach = (one) =>
  Object.assign((name, ...rest) => one(name, ...rest), {
    each:
      (cases) =>
      (name, ...rest) => {
        const body = rest.find((part) => typeof part === 'function');
        cases.forEach((given, i) => {
          const values = Array.isArray(given) ? given : [given];
          one(`${name} [${i}]`, () => body(...values));
        });
      },
  });

export const describe = withEach(describeOne);
export const test = withEach(testOne);
export const it = test;
export const beforeAll = (hook) => void suite.beforeAll.push(hook);
export const afterAll = (hook) => void suite.afterAll.unshift(hook);
export const beforeEach = (hook) => void suite.beforeEach.push(hook);
export const afterEach = (hook) => void suite.afterEach.unshift(hook);
export const onTestFinished = (hook) => void finishing.unshift(hook);

/**
 * Runs tests of one file in their order, with the hooks around them.
 * @param around told of each test and each suite that begins
 * @returns what came of each; after the first failure the rest is left out if `bail`
 */
export async function run(tests, { bail, onTest = () => undefined, onSuite = () => undefined }) {
  const results = [];
  const open = [];
  const close = async (until) => {
    while (open.length > 0 && !until.includes(open.at(-1).at)) {
      const { at, teardowns } = open.pop();
      for (const hook of [...at.afterAll, ...teardowns]) await hook();
    }
  };
  for (const test of tests) {
    const started = performance.now();
    let error;
    try {
      const suites = lineage(test.suite);
      await close(suites);
      for (const at of suites.slice(open.length)) {
        onSuite(at);
        open.push({ at, teardowns: [] });
        await setUp(at.beforeAll, open.at(-1).teardowns);
      }
      onTest(test);
      await limited(runOne(test, suites));
    } catch (failure) {
      error = failure ?? new Error('failed');
    }
    results.push({ test, error, ms: performance.now() - started });
    if (error !== undefined && bail) break;
  }
  await close([]).catch((error) => results.push({ test: tests.at(-1), error, ms: 0 }));
  return results;
}

async function setUp(hooks, teardowns) {
  for (const hook of hooks) {
    const teardown = await limited(hook());
    if (typeof teardown === 'function') teardowns.unshift(teardown);
  }
}

async function runOne(test, suites) {
  const teardowns = [];
  finishing = [];
  const errors = [];
  const attempt = async (step) => {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  };
  await attempt(async () => {
    await setUp(
      suites.flatMap((at) => at.beforeEach),
      teardowns,
    );
    await test.body({});
  });
  const after = [...suites].reverse().flatMap((at) => at.afterEach);
  for (const step of [...after, ...teardowns, ...finishing]) await attempt(step);
  if (errors.length > 0) throw errors[0];
}

function limited(work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the test does not end')), TEST_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
