/** `bridge doctor`: everything that can be seen to be wrong from outside the four processes, each with its remedy. */
import { readConfig, readConfigs, DOMAINS } from '../data-directory.js';
import { palette } from '../palette.js';
import { findStack } from '../stack.js';
import { checkApprovers } from './checks/check-approvers.js';
import { checkChromium } from './checks/check-chromium.js';
import { checkClock } from './checks/check-clock.js';
import { checkGating } from './checks/check-gating.js';
import { checkIdentifiers } from './checks/check-identifiers.js';
import { checkJwks } from './checks/check-jwks.js';
import { checkKeys } from './checks/check-keys.js';
import { checkModes } from './checks/check-modes.js';
import { checkNode } from './checks/check-node.js';
import { checkPorts } from './checks/check-ports.js';
import type { Finding } from './finding.js';
import { ok, wrong } from './finding.js';

/** Prints every finding. Returns the exit code: 1 if anything is wrong. */
export async function doctor(
  { data, json }: { readonly data: string; readonly json?: true },
  out: NodeJS.WriteStream,
): Promise<number> {
  const findings = await examine(data);
  if (json) out.write(`${JSON.stringify({ findings })}\n`);
  else print(findings, out);
  return findings.some(({ state }) => state === 'wrong') ? 1 : 0;
}

/** All checks in order. Those that need the configurations are left out while one of them cannot be read. */
export async function examine(data: string): Promise<readonly Finding[]> {
  const first = [...checkNode(), ...checkModes(data), ...checkConfigs(data)];
  if (first.some(({ what, state }) => state === 'wrong' && what.includes('config.json')))
    return [...first, ...(await checkChromium())];
  const patient = {
    data,
    configs: readConfigs(data),
    running: (await findStack(data)) !== undefined,
  };
  return [
    ...first,
    ...(await checkPorts(patient)),
    ...checkIdentifiers(patient),
    ...checkGating(patient),
    ...checkKeys(patient),
    ...(await checkJwks(patient)),
    ...(await checkApprovers(patient)),
    ...(await checkClock(patient)),
    ...(await checkChromium()),
  ];
}

function checkConfigs(data: string): readonly Finding[] {
  return DOMAINS.map((domain) => {
    try {
      readConfig(data, domain);
      return ok(`${domain}/config.json can be read`);
    } catch (error) {
      const fix = `correct that member; a fresh one to compare with: bridge up --data ./fresh --port-base 9420`;
      return wrong(error instanceof Error ? error.message : String(error), fix);
    }
  });
}

function print(findings: readonly Finding[], out: NodeJS.WriteStream): void {
  const paint = palette(out);
  const badge = {
    ok: paint.green('[OK]'),
    note: paint.yellow('[NOTE]'),
    wrong: paint.red('[WRONG]'),
  };
  for (const { state, what, fix } of findings) {
    out.write(`${badge[state]} ${what}\n`);
    if (fix !== undefined)
      out.write(`        ${paint.dim(state === 'wrong' ? 'fix:' : 'hint:')} ${fix}\n`);
  }
  const count = findings.filter(({ state }) => state === 'wrong').length;
  out.write(
    `\n${count === 0 ? 'Nothing is wrong.' : `${count} ${count === 1 ? 'thing is' : 'things are'} wrong.`}\n`,
  );
}
