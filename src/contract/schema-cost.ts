import type { JsonValue } from './json.js';
import { isJsonObject } from './json.js';

/**
 * Whether checking by a schema can take long: a regular expression may backtrack, and references may multiply. The time
 * limit costs more than a check by any other.
 */
export function canTakeLong(schema: JsonValue): boolean {
  if (Array.isArray(schema)) return schema.some(canTakeLong);
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).some(([name, value]) => SLOW.has(name) || canTakeLong(value));
}

const SLOW = new Set([
  'pattern',
  'patternProperties',
  'format',
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
]);
