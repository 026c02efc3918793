import { describe, expect, it } from 'vitest';
import { policyFor, policyForAnySubject } from '../../../vault/policy.js';

const policy = {
  default: ['subject'],
  commands: {
    delete_task: ['subject', 'carol'],
    'pay_*': ['dave'],
    'pay_small*': ['subject'],
    deploy: [],
    constructor: ['erin'],
  },
};

describe('policy', () => {
  const mayApprove = policyFor(policy, 'alice');
  it.each([
    ['alice', 'list_tasks', true],
    ['carol', 'list_tasks', false],
    ['carol', 'delete_task', true],
    ['alice', 'delete_task', true],
    ['subject', 'delete_task', false],
    ['dave', 'pay_invoice', true],
    ['alice', 'pay_invoice', false],
    ['alice', 'pay_small_invoice', true],
    ['dave', 'pay_small_invoice', false],
    ['alice', 'deploy', false],
    ['erin', 'constructor', true],
    ['alice', 'toString', true],
    ['alice', '__proto__', true],
    ['dave', 'pay_*', true],
  ])('%s for %s: %s', (approver, command, allowed) => {
    expect(mayApprove(approver, command)).toBe(allowed);
  });

  it('without a subject yet, denies only where none could help', () => {
    const mayExamine = policyForAnySubject(policy);
    expect(mayExamine('bob', 'delete_task')).toBe(true);
    expect(mayExamine('bob', 'pay_invoice')).toBe(false);
    expect(mayExamine('dave', 'pay_invoice')).toBe(true);
  });
});
