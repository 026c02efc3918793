import { describe, expect, it } from 'vitest';
import { callerUnder, mandateOf } from '../../../src/a2a/agent/mandate.js';
import type { Authenticated, Callers } from '../../../src/mcp/callers.js';

const NOW = 1_800_000_000;
const AGENT = { subject: 'agent-a', client_id: 'agent-a', scopes: ['tasks.read'] };
const ISSUER = 'https://as.example';
const byOauth: Authenticated = {
  ...{ caller: AGENT, expiresAt: NOW + 60 },
  grant: { kind: 'oauth', issuer: ISSUER },
};
const alice = { ...AGENT, subject: 'alice' };
const byToken: Authenticated = {
  ...{ caller: alice, expiresAt: NOW + 60 },
  grant: { kind: 'local', tokenId: 't' },
};
const ACTS_FOR = { 'agent-a': ['alice'] };
const callers = (trusts: boolean): Callers => ({
  local: {
    callerOf: () => undefined,
    callerOfId: (tokenId) =>
      tokenId === 't' ? { caller: alice, expiresAt: NOW + 60, tokenId } : undefined,
  },
  oauth: { trusts: () => trusts, verify: () => Promise.reject(new Error('not asked')) },
});
const refused = (who: Authenticated, stated: string | undefined, actsFor = {}): string => {
  try {
    mandateOf(who, stated, actsFor, NOW);
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('for whom a task acts', () => {
  it('an access token of the agent’s own: for whom it says, where the operator lets it', () => {
    const mandate = mandateOf(byOauth, 'alice', ACTS_FOR, NOW);
    expect(callerUnder(mandate, callers(true), NOW)).toEqual(alice);
    expect(refused(byOauth, 'bob', ACTS_FOR)).toBe('Forbidden');
    expect(refused(byOauth, 'alice', { 'agent-b': ['alice'] })).toBe('Forbidden');
    expect(refused(byOauth, 'alice', { __proto__: { 'agent-a': ['alice'] } })).toBe('Forbidden');
  });

  it('without a statement, or with one that agrees: for the token’s own subject', () => {
    for (const stated of [undefined, 'agent-a'])
      expect(callerUnder(mandateOf(byOauth, stated, {}, NOW), callers(true), NOW)).toEqual(AGENT);
  });

  it('a local token: for whom it was issued, whatever may be said', () => {
    expect(callerUnder(mandateOf(byToken, 'alice', {}, NOW), callers(true), NOW)).toEqual(alice);
    expect(refused(byToken, 'bob', { 'agent-a': ['bob'] })).toBe('Forbidden');
  });

  it('goes on as long as an approval can take, and not under an issuer that is gone', () => {
    const mandate = mandateOf(byOauth, 'alice', ACTS_FOR, NOW);
    expect(callerUnder(mandate, callers(true), NOW + 659)).toEqual(alice);
    expect(callerUnder(mandate, callers(true), NOW + 660)).toBeUndefined();
    expect(callerUnder(mandate, callers(false), NOW)).toBeUndefined();
    expect(callerUnder({}, callers(true), NOW)).toBeUndefined();
  });
});
