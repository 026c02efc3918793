/** One run over one area; run.mjs says which files, and where the report goes. */
export default {
  mutate: JSON.parse(process.env['MUTANTS_FILES'] ?? '[]'),
  testRunner: 'in-process',
  plugins: ['./test/mutants/runner.mjs', './test/mutants/prose.mjs'],
  ignorers: ['prose'],
  // A mutant meets the tests that reach it. Those in what a module does when it is loaded (schemas, tables) meet all
  // tests of the area: `ignoreStatic` would leave out the shapes of everything that is signed.
  coverageAnalysis: 'perTest',
  ignoreStatic: false,
  concurrency: 2,
  timeoutMS: 30_000,
  // Each load of the production code stays in memory.
  maxTestRunnerReuse: 200,
  tempDirName: 'test-results/stryker',
  cleanTempDir: 'always',
  ignorePatterns: ['dist', 'data', 'test/{attacks,bench,browser,crash,flows}', '*.md'],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: process.env['MUTANTS_REPORT'] },
  incremental: true,
  incrementalFile: process.env['MUTANTS_INCREMENTAL'],
  warnings: { slow: false },
  allowConsoleColors: false,
};
