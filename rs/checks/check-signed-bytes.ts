/**
 * Rule: this server builds the bytes the human must have signed out of what it knows itself: the live command and
 * arguments, its own identifier, the calling client, and the verified type, deadline and approver. From the signed
 * payload come only the sentence the human read and the consent id. The credential must name the digest of those bytes.
 * Source: DESIGN sections 5 and 7. Refusal: SignatureMismatch (MalformedPayload if they have no canonical bytes).
 * Without it: a lying vault mints a credential for one action beside a signature for another (other arguments, another
 * server, client, deadline or message), and comparing the two one member at a time would forget one.
 */
import { createHash } from 'node:crypto';
import { canonicalBytes, formOf } from '../../src/contract/canonical.js';
import { Refusal } from '../../src/contract/errors.js';
import type { Payload } from '../../src/contract/payload.js';
import type { Passed } from '../states.js';

export function checkSignedBytes(call: Passed<'args'>, ownResource: string): Passed<'bytes'> {
  const { claims, signed } = call.facts;
  const bytes = canonicalBytes(rebuild(call, ownResource), 'rs');
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const nonce = 'v' in signed.payload ? signed.payload.nonce : undefined;
  const { consent } = claims;
  if (consent.hash !== hash || consent.form !== formOf(signed.payload) || consent.nonce !== nonce) {
    throw new Refusal('SignatureMismatch', 'rs', { detail: 'consent names other bytes' });
  }
  return call.pass('bytes', { ...call.facts, bytes, hash });
}

function rebuild(call: Passed<'args'>, ownResource: string): Payload {
  const { claims, detail, request, signed } = call.facts;
  const action = {
    cmd: request.command,
    args: request.args,
    rar_type: detail.type,
    exp: claims.exp,
    approver_id: claims.sub,
    binding_message: signed.payload.binding_message,
  };
  return 'v' in signed.payload
    ? {
        v: 2,
        ...action,
        aud: ownResource,
        client_id: request.caller.client_id,
        nonce: signed.payload.nonce,
      }
    : action;
}
