/** What both canonical forms and the strict parser refuse in a value, one predicate each. CANONICAL.md "What is refused". */

/** Containers around and including a value. The payload itself is 1, `args` is 2. */
export const MAX_DEPTH = 64;

/** 64 KiB: canonical bytes of a payload. */
export const MAX_CANONICAL_BYTES = 65_536;

/** Matches only surrogates without a partner: with the `u` flag a proper pair is one code point outside this range. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** True for text that UTF-8 cannot carry: two different such texts would have the same bytes. */
export function hasLoneSurrogate(text: string): boolean {
  return LONE_SURROGATE.test(text);
}

/**
 * True for a number every JSON library reads alike: finite, not `-0`, and no larger than 2^53-1 either way
 * (a larger double is an integer that another language may read as its neighbour).
 */
export function isExactNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0);
}

/** True for `{}`-like objects. Dates, maps, class instances and proxied prototypes are not JSON. */
export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
