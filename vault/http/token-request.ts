import * as z from 'zod';
import { jsonEqual } from '../../src/contract/json.js';
import { base64url } from '../../src/contract/payload.js';
import { parseStrictJson } from '../../src/contract/strict-json.js';
import { authorizationDetail } from '../../src/contract/vault.js';
import { SIGNED_PAYLOAD_TOKEN_TYPE, TOKEN_EXCHANGE_GRANT } from '../../src/contract/wire.js';
import { Consent } from '../consent.js';
import { refuse } from '../refuse.js';
import { parseShape } from '../shape.js';
import { decodeUtf8 } from './body.js';

/** RFC 8693 section 2.1 and RFC 8707 section 2; unknown parameters are ignored (RFC 6749 section 3.2). */
const parameters = z.looseObject({
  grant_type: z.literal(TOKEN_EXCHANGE_GRANT),
  subject_token: base64url,
  subject_token_type: z.literal(SIGNED_PAYLOAD_TOKEN_TYPE),
  authorization_details: z.string(),
  resource: z.string().min(1),
  requested_subject: z.string().min(1).max(256),
  mint_id: z.string().regex(/^[A-Za-z0-9_-]{22,64}$/),
});

export interface TokenRequest {
  readonly consent: Consent;
  readonly resource: string;
  readonly subject: string;
  readonly mintId: string;
}

/**
 * The parameters of a token exchange, with the signed payload taken out of `subject_token` (base64url of UTF-8 JSON).
 * @throws Refusal MalformedRequest, MalformedJson, MalformedPayload; PayloadDriftAtMint if `authorization_details` is
 *   not exactly the one action that was signed: a client that asks for something else is not served something else.
 */
export function readTokenRequest(form: unknown): TokenRequest {
  const given = parseShape(parameters, form);
  const token = decodeUtf8(Buffer.from(given.subject_token, 'base64url'), 'MalformedJson');
  const consent = Consent.read(parseStrictJson(token, 'vault'));
  const asked = parseShape(
    z.array(authorizationDetail),
    parseStrictJson(given.authorization_details, 'vault'),
    'MalformedRequest',
    ['authorization_details'],
  );
  const [detail, ...others] = asked;
  const { rar_type: type, cmd: command, args } = consent.payload;
  if (detail === undefined || others.length > 0 || !jsonEqual(detail, { type, command, args })) {
    throw refuse('PayloadDriftAtMint', { path: 'authorization_details' });
  }
  return {
    consent,
    resource: given.resource,
    subject: given.requested_subject,
    mintId: given.mint_id,
  };
}
