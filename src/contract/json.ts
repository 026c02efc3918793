/** A JSON value as RFC 8259 defines it. Numbers are IEEE 754 doubles. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [member: string]: JsonValue;
}

/** True for a plain JSON object (not null, not an array). Does not look inside. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Structural equality of two JSON values: same types, same numbers (`Object.is`, so `0` and `-0` differ),
 * same code units in strings, same list order; member order does not matter. Nothing is normalised or coerced.
 */
export function jsonEqual(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((x, i) => jsonEqual(x as JsonValue, b[i] as JsonValue))
    );
  }
  if (isJsonObject(a)) {
    if (!isJsonObject(b)) return false;
    const members = Object.keys(a);
    return (
      members.length === Object.keys(b).length &&
      members.every((m) => Object.hasOwn(b, m) && jsonEqual(a[m] as JsonValue, b[m] as JsonValue))
    );
  }
  return Object.is(a, b);
}

/** Freezes a JSON value at every level, in place, and returns it. */
export function deepFreeze<T extends JsonValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
