/** What an upstream sent is checked before it goes on a wire whose other end refuses everything that two parsers read differently. */
import { hasLoneSurrogate, isExactNumber, MAX_DEPTH } from '../../src/contract/json-check.js';
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';

/**
 * True for a JSON value the contract's strict parser takes inside an envelope: no lone surrogates, no numbers beyond
 * 2^53-1, no more than 64 containers deep.
 */
export function isCleanJson(value: unknown, depth = 1): boolean {
  switch (typeof value) {
    case 'string':
      return !hasLoneSurrogate(value);
    case 'number':
      return isExactNumber(value) || Object.is(value, -0);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      if (depth > MAX_DEPTH) return false;
      if (Array.isArray(value)) return value.every((item) => isCleanJson(item, depth + 1));
      return Object.entries(value).every(
        ([name, member]) => !hasLoneSurrogate(name) && isCleanJson(member, depth + 1),
      );
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return false;
  }
}

/** The object itself if it is clean, else undefined. */
export function cleanObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) && isCleanJson(value) ? value : undefined;
}
