import { describe, expect, it } from 'vitest';
import { REFUSALS, type RefusalCode } from '../../../src/contract/errors.js';
import type { Outcome } from '../../../src/dispatcher/outcome.js';
import { DECLINE_COOL_DOWN_S, isFinal, nextStep } from '../../../src/dispatcher/next-step.js';
import type { Consent, ConsentState } from '../../../src/store/consents.js';

const NOW = 1_000_000;

function consent(state: ConsentState, more: Partial<Consent> = {}): Consent {
  return {
    id: 'id',
    lookup: 'lookup',
    generation: 0,
    subject: 'alice',
    proposal: {} as Consent['proposal'],
    exp: NOW + 10,
    state,
    told: false,
    ...more,
  };
}

const success: Outcome = { kind: 'Success', result: {} };
const byApprover: Outcome = { kind: 'Declined', by: 'approver', consentId: 'id' };
const byClient: Outcome = { kind: 'Declined', by: 'client', consentId: 'id' };

describe('the life of a consent', () => {
  it.each([
    ['a first call asks', undefined, 'open'],
    ['a pending consent is looked at again, never doubled', consent('pending'), 'ask'],
    [
      'a pending one past its deadline is still looked at, since it may have been signed in time',
      consent('pending', { exp: NOW - 1 }),
      'ask',
    ],
    ['a signed one is minted', consent('approved'), 'mint'],
    ['a signed one at its deadline is not', consent('approved', { exp: NOW }), 'expire'],
    ['a minted one is executed', consent('minted'), 'execute'],
    [
      'a minted one past its deadline is left to the resource server to refuse',
      consent('minted', { exp: NOW - 1 }),
      'execute',
    ],
    ['an expired one is asked anew', consent('expired'), 'open'],
    ['a result is told', consent('settled', { result: success }), 'tell'],
    [
      'a result that was told is not told again: the next call is a new wish',
      consent('settled', { result: success, told: true }),
      'open',
    ],
    [
      'a refusal by the approver is told',
      consent('settled', { result: byApprover, decidedAt: NOW }),
      'tell',
    ],
    [
      'and kept during the cool-down',
      consent('settled', {
        result: byApprover,
        decidedAt: NOW - DECLINE_COOL_DOWN_S + 1,
        told: true,
      }),
      'tell',
    ],
    [
      'and asked anew after it',
      consent('settled', { result: byApprover, decidedAt: NOW - DECLINE_COOL_DOWN_S, told: true }),
      'open',
    ],
    [
      'a refusal by the client has no cool-down',
      consent('settled', { result: byClient, decidedAt: NOW, told: true }),
      'open',
    ],
  ])('%s', (_claim, given, step) => {
    expect(nextStep(given, NOW)).toBe(step);
  });
});

describe('a refusal leaves a signed consent open', () => {
  const open: RefusalCode[] = [
    'Unavailable',
    'Unauthenticated',
    'RateLimited',
    'Internal',
    'UnknownApprover',
    'PolicyDenied',
    'Unauthorized',
    'UnknownIssuer',
    'Forbidden',
  ];

  it.each(open)('when it can still be mended: %s', (code) => {
    expect(isFinal(code)).toBe(false);
  });

  it('and no other does', () => {
    const final = (Object.keys(REFUSALS) as RefusalCode[]).filter(isFinal);
    expect(final).toHaveLength(Object.keys(REFUSALS).length - open.length);
    expect(final).toContain('SignatureReplay');
    expect(final).toContain('ExecutionIndeterminate');
  });
});
