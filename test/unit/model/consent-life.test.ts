/** The model holds as the system is, and each way to weaken it has a counter-example. */
import { describe, expect, test } from 'vitest';
import type { Variant } from './consent-life.js';
import { consentLife } from './consent-life.js';
import { explore } from './explore.js';

const TIME = { timeout: 300_000 };

test('as it is, nothing goes wrong in any order of events', TIME, () => {
  const { states, moves, finding } = explore(consentLife());
  console.log(`consent life: ${states} states, ${moves} moves`);
  expect(finding).toBeUndefined();
  expect(states).toBeGreaterThan(10_000);
});

describe('weakened, it breaks:', () => {
  const weakened: readonly (readonly [string, Variant, string])[] = [
    [
      "the vault's used set is not durable",
      { vaultForgets: true },
      'one signature minted two credentials',
    ],
    [
      'a mint has no id of its own',
      { mintHasNoId: true },
      'a decided consent was lost to SignatureReplay',
    ],
    ['the resource server checks, then acts', { rsChecksThenActs: true }, 'it ran twice'],
    ['the started row is written after the action', { rsMarksAfterwards: true }, 'it ran twice'],
    [
      'what was started is forgotten in a crash',
      { rsForgetsStarted: true },
      'a decided consent was lost to CredentialReplay',
    ],
    [
      'the human signature is not looked at',
      { rsTrustsVault: true, acceptIsConsent: true },
      'it ran without a signature',
    ],
    ['a decision is written twice', { pageOverwrites: true }, 'a final decision changed'],
    ['a decision is taken twice', { takeOverwrites: true }, 'what was expired came back'],
    [
      'a refusal is believed unlooked',
      { refusalIsBelieved: true },
      'the caller is told that it did not run',
    ],
  ];
  test.each(weakened)('%s', TIME, (name, variant, fault) => {
    const { states, finding } = explore(consentLife(variant));
    console.log(
      [`${name} (${states} states): ${String(finding?.fault)}`, ...(finding?.trace ?? [])].join(
        '\n  ',
      ),
    );
    expect(finding?.fault).toBe(fault);
  });
});

test('a bridge in the wrong hands needs both single-use stores broken', TIME, () => {
  const bridgeIsTakenOver = true;
  const fault = (variant: Variant) => {
    const { states, finding } = explore(consentLife({ bridgeIsTakenOver, ...variant }));
    console.log(
      [
        `${JSON.stringify(variant)} (${states} states): ${String(finding?.fault)}`,
        ...(finding?.trace ?? []),
      ].join('\n  '),
    );
    return finding?.fault;
  };
  expect(fault({})).toBeUndefined();
  expect(fault({ vaultForgets: true })).toBeUndefined();
  expect(fault({ rsKnowsNoHash: true })).toBeUndefined();
  expect(fault({ vaultForgets: true, rsKnowsNoHash: true })).toBe('it ran twice');
});
