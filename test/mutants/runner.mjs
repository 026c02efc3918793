/**
 * Stryker's test runner for the unit tests of one area: all in one process, where a mutant is switched on and the tests
 * that reach it are run. Stryker's own runner for vitest starts a worker for each file and mutant, which loads every
 * package again: a run over the vault then takes hours instead of minutes.
 */
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { SKIPPED_TESTS, testFiles } from './areas.mjs';
import { collect, run } from './vitest.mjs';

/** What instrumented code looks at: which mutant is on, how often it was reached, and by which test. */
const ns = (globalThis.__stryker__ ??= {});

class InProcess {
  #root = process.cwd();
  #sources = 0;
  #loads = 0;
  /** From the first run, which no mutant disturbs: milliseconds by test id, and the files, quickest first. */
  #times = new Map();
  #files = [];

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const root = `${pathToFileURL(this.#root).href}/`;
    register('./modules.mjs', { parentURL: import.meta.url, data: { root } });
    // What a mutant leaves behind may still fail when the next one is on already: only what a test sees counts.
    process.on('uncaughtException', () => undefined);
    process.on('unhandledRejection', () => undefined);
    this.#files = testFiles(this.#root, process.env['MUTANTS_AREA']);
  }

  async dryRun() {
    ns.activeMutant = undefined;
    const suiteTests = new Map();
    const tests = [];
    for (const file of this.#files) {
      const collected = await this.#collect(file);
      for (const { suite, id } of collected) {
        for (let at = suite; at !== undefined; at = at.parent) {
          suiteTests.set(at, [...(suiteTests.get(at) ?? []), id]);
        }
      }
      const suiteIds = new Map();
      const results = await run(collected, {
        bail: false,
        onTest: ({ id }) => (ns.currentTestId = id),
        onSuite: (at) => {
          suiteIds.set(at, `${file} ${suiteIds.size}`);
          ns.currentTestId = suiteIds.get(at);
        },
      });
      ns.currentTestId = undefined;
      for (const [at, id] of suiteIds) this.#spread(id, suiteTests.get(at));
      tests.push(...results.map((result) => resultOf(result)));
      for (const { test, ms } of results) this.#times.set(test.id, ms);
    }
    const time = (file) =>
      [...this.#times].reduce((sum, [id, ms]) => sum + (id.startsWith(`${file}#`) ? ms : 0), 0);
    this.#files.sort((a, b) => time(a) - time(b));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: ns.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment }) {
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    if (reloadEnvironment) this.#sources += 1;
    ns.hitCount = 0;
    ns.hitLimit = hitLimit;
    ns.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
    let nrOfTests = 0;
    try {
      for (const file of this.#files) {
        if (wanted !== undefined && ![...wanted].some((id) => id.startsWith(`${file}#`))) continue;
        const collected = await this.#collect(file);
        ns.activeMutant = activeMutant.id;
        const tests = collected.filter(({ id }) => wanted?.has(id) ?? true);
        const results = await run(tests, { bail: true });
        nrOfTests += results.length;
        if (ns.hitCount > hitLimit) return { status: MutantRunStatus.Timeout, reason: 'hit limit' };
        const failed = results.find(({ error }) => error !== undefined);
        if (failed !== undefined) return killed(failed.test.id, failed.error, nrOfTests);
        if (mutantActivation !== 'static') ns.activeMutant = undefined;
      }
      return { status: MutantRunStatus.Survived, nrOfTests };
    } catch (error) {
      // A test file that cannot even be loaded.
      if (ns.hitCount > hitLimit) return { status: MutantRunStatus.Timeout, reason: 'hit limit' };
      return killed(`${this.#files[0]}#`, error, nrOfTests);
    } finally {
      ns.activeMutant = undefined;
      // The next mutant gets production code that was loaded while none was on.
      if (reloadEnvironment) this.#sources += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async #collect(file) {
    this.#loads += 1;
    const { href } = pathToFileURL(join(this.#root, file));
    const tests = await collect(file, `${href}?s=${this.#sources}&t=${this.#loads}`);
    return tests.filter(({ title }) => !SKIPPED_TESTS.test(title));
  }

  /** What the hooks of a suite reached, each of its tests did. */
  #spread(suiteId, ids = []) {
    const reached = ns.mutantCoverage?.perTest[suiteId];
    if (reached === undefined) return;
    delete ns.mutantCoverage.perTest[suiteId];
    for (const id of ids) {
      const own = (ns.mutantCoverage.perTest[id] ??= {});
      for (const [mutant, hits] of Object.entries(reached)) own[mutant] = (own[mutant] ?? 0) + hits;
    }
  }
}

function resultOf({ test, error, ms }) {
  const about = { id: test.id, name: test.title, fileName: test.file, timeSpentMs: ms };
  return error === undefined
    ? { ...about, status: TestStatus.Success }
    : { ...about, status: TestStatus.Failed, failureMessage: String(error) };
}

function killed(id, error, nrOfTests) {
  return {
    status: MutantRunStatus.Killed,
    killedBy: [id],
    failureMessage: String(error),
    nrOfTests,
  };
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)];
