/**
 * Rule: a signed payload has exactly the members of its form, and can be serialised.
 * Source: CANONICAL.md; DESIGN section 5. Refusals: MalformedPayload; PayloadTooLarge over 64 KiB.
 * Without it: a member no verifier looks at could carry what the human never saw, and arguments changed by the caller
 * after this check would be minted in place of the signed ones.
 */
import * as z from 'zod';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { JsonObject } from '../../src/contract/json.js';
import { deepFreeze } from '../../src/contract/json.js';
import type { Payload } from '../../src/contract/payload.js';
import { form1Payload, form2Payload, jsonObject, signature } from '../../src/contract/payload.js';
import { parseShape } from '../shape.js';
import { checkKnownForm } from './check-known-form.js';

const FORMS = { 1: form1Payload, 2: form2Payload } as const;
const utf8 = new TextDecoder();
const presented = z.strictObject({ payload: jsonObject, signature: z.unknown() });

export function checkShape(input: unknown) {
  const signed = parseShape(presented, input, 'MalformedPayload');
  const form = checkKnownForm(signed.payload);
  const made = parseShape(signature, signed.signature, 'MalformedPayload', ['signature']);
  const bytes = canonicalBytes(readPayload(signed.payload, form), 'vault');
  const payload = deepFreeze(readPayload(parseCanonical(bytes), form));
  return { payload, form, bytes, signature: { ...made } };
}

function readPayload(value: JsonObject, form: 1 | 2): Payload {
  return parseShape<Payload>(FORMS[form], value, 'MalformedPayload');
}

function parseCanonical(bytes: Uint8Array): JsonObject {
  return jsonObject.parse(JSON.parse(utf8.decode(bytes)));
}
