/** A few scenarios of the conformance suite; `npm run conformance` runs all of them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compare } from '../conformance/compare.js';
import { type EverythingServer, startEverything } from '../conformance/everything-server.js';
import { type Running, startGatewayRun } from '../conformance/gateway-run.js';
import { SUITES, runSuite } from '../conformance/run-suite.js';

let direct: EverythingServer;
let gateway: Running;

beforeAll(async () => {
  direct = await startEverything(['legacy', 'modern']);
  gateway = await startGatewayRun(['legacy', 'modern']);
});
afterAll(async () => {
  await gateway.close();
  await direct.close();
});

it.each([
  ['2025-11-25', 'tools-call-sampling'],
  ['2025-11-25', 'tools-call-with-progress'],
  ['2026-07-28', 'input-required-result-multiple-input-requests'],
  ['2026-07-28', 'http-custom-header-server-validation'],
] as const)(
  '%s %s passes through the gateway as it does without',
  async (revision, scenario) => {
    const suite = SUITES.filter((one) => one.revision === revision).at(-1)!;
    const alone = await runSuite(suite, direct.url, scenario);
    const [row] = compare(alone, await runSuite(suite, gateway.url, scenario), revision);
    expect(row).toMatchObject({ scenario, lost: [] });
    expect(row?.direct.passed).toBeGreaterThan(0);
    expect(row?.gateway).toEqual(row?.direct);
  },
  // The first one installs the suite.
  300_000,
);
