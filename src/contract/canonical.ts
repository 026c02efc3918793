import { CanonicalWriter, tooLarge } from './canonical-writer.js';
import type { Layer } from './errors.js';
import { form1 } from './form1.js';
import { form2 } from './form2.js';
import { MAX_CANONICAL_BYTES } from './json-check.js';
import type { JsonValue } from './json.js';
import { checkMembers } from './payload-members.js';
import type { Payload } from './payload.js';

const FORMS = { 1: form1, 2: form2 } as const;
/** No body of 256 KiB gets longer than this: escapes make it at most six times as long. */
const MAX_VALUE_LENGTH = 1 << 21;
const utf8 = new TextEncoder();

/** 2 if the payload has a member `v`, else 1. Whether `v` is right is for {@link canonicalBytes} to say. */
export function formOf(payload: Payload): 1 | 2 {
  return Object.hasOwn(payload, 'v') ? 2 : 1;
}

/**
 * The bytes a human signs: UTF-8 of the canonical text of `payload` in its own form (CANONICAL.md).
 * @throws Refusal MalformedPayload with the path of what cannot be signed; PayloadTooLarge over 64 KiB.
 */
export function canonicalBytes(payload: Payload, layer: Layer): Uint8Array<ArrayBuffer> {
  checkMembers(payload, layer);
  const writer = new CanonicalWriter(FORMS[formOf(payload)], layer, MAX_CANONICAL_BYTES);
  const bytes = utf8.encode(writer.write(payload));
  if (bytes.length > MAX_CANONICAL_BYTES) throw tooLarge(layer);
  return bytes;
}

/**
 * Canonical text of any JSON value, for digests of arguments. Same rules as a payload, without its members and size.
 * @throws Refusal MalformedPayload with the path inside `value`; PayloadTooLarge over 2 Mi code units.
 */
export function canonicalJson(value: JsonValue, form: 1 | 2, layer: Layer): string {
  return new CanonicalWriter(FORMS[form], layer, MAX_VALUE_LENGTH).write(value);
}
