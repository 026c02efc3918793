import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConsentIds, type IdentifiedCall } from '../../../src/dispatcher/consent-id.js';

const ids = new ConsentIds(Buffer.alloc(32, 1));
const text = fc.string({ maxLength: 20, unit: 'grapheme' });
const call = fc.record({
  caller: fc.record({ subject: text, client_id: text }),
  tool: text,
  canonicalArgs: text,
});
const key = ({ caller, tool, canonicalArgs }: IdentifiedCall): string =>
  JSON.stringify([caller.subject, caller.client_id, tool, canonicalArgs]);

describe('consent ids', () => {
  it('differ whenever subject, client, tool, arguments or generation do, whatever the text in them', () => {
    fc.assert(
      fc.property(call, call, fc.nat(5), fc.nat(5), (a, b, g, h) => {
        const same = key(a) === key(b) && g === h;
        expect(ids.consent(a, g) === ids.consent(b, h)).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  it('do not slide text from one field into the next', () => {
    const one = { caller: { subject: 'ab', client_id: 'c' }, tool: 't', canonicalArgs: '{}' };
    const two = { caller: { subject: 'a', client_id: 'bc' }, tool: 't', canonicalArgs: '{}' };
    expect(ids.lookup(one)).not.toBe(ids.lookup(two));
  });

  it('cannot be made without the key, and lookup, consent and mint ids never coincide', () => {
    const one = { caller: { subject: 'a', client_id: 'b' }, tool: 't', canonicalArgs: '{}' };
    const other = new ConsentIds(Buffer.alloc(32, 2));
    expect(other.consent(one, 0)).not.toBe(ids.consent(one, 0));
    expect(
      new Set([ids.lookup(one), ids.consent(one, 0), ids.mint(ids.consent(one, 0))]).size,
    ).toBe(3);
    expect(ids.consent(one, 0)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('refuse a key of another length', () => {
    expect(() => new ConsentIds(Buffer.alloc(16))).toThrow();
  });
});
