/**
 * Rule: the live arguments equal the credential's: the same JSON value, and the same digest of canonical bytes. Member
 * order does not matter; nothing else is forgiven.
 * Source: DESIGN section 7. Refusal: CredentialDrift (MalformedPayload if they have no canonical bytes).
 * Without it: the human signs `t-1` and the server deletes `t-2`. Two comparisons, because each alone rests on one
 * piece of code: a slip in the equality or in the canonicalizer is caught by the other.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/contract/canonical.js';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import { jsonEqual } from '../../src/contract/json.js';
import type { Passed } from '../states.js';

export function checkArgsBound(call: Passed<'command'>): Passed<'args'> {
  const { claims, detail } = call.facts;
  const digest = (args: JsonObject) =>
    createHash('sha256')
      .update(canonicalJson(args, claims.consent.form, 'rs'))
      .digest();
  if (!jsonEqual(call.args, detail.args) || !digest(call.args).equals(digest(detail.args))) {
    throw new Refusal('CredentialDrift', 'rs', { path: 'args' });
  }
  return call.pass('args', call.facts);
}
