import { describe, expect, it } from 'vitest';
import { type Surface, offered } from '../../../src/dispatcher/policy.js';

const policy: Surface['policy'] = {
  read: { scopes: ['r'], mode: 'open', read_only: true },
  write: { scopes: ['w'], mode: 'open' },
  remove: { scopes: ['w'], mode: 'gated' },
};
const surface = (more: Partial<Surface>): Surface => ({
  policy,
  allowlist: ['remove'],
  gateWired: true,
  ...more,
});

describe('a tool is offered', () => {
  it.each(['read', 'write', 'remove'])('with a gate: %s', (tool) => {
    expect(offered(surface({}), tool)).toEqual(policy[tool]);
  });

  it.each([
    ['read', true],
    ['write', false],
    ['remove', false],
  ])('without a gate, only if it changes nothing: %s', (tool, expected) => {
    expect(offered(surface({ gateWired: false }), tool) !== undefined).toBe(expected);
  });

  it('when gated, only if it is on the allowlist', () => {
    expect(offered(surface({ allowlist: [] }), 'remove')).toBeUndefined();
  });

  it.each(['unnamed', 'constructor', '__proto__', 'toString'])(
    'when the policy does not name it, only as a gated tool: %s',
    (tool) => {
      expect(offered(surface({}), tool)).toBeUndefined();
      expect(offered(surface({ allowlist: [tool] }), tool)).toEqual({ scopes: [], mode: 'gated' });
    },
  );
});
