import type { FastifyReply } from 'fastify';
import type { Refusal, RefusalCode } from '../../src/contract/errors.js';
import { problemOf } from '../../src/contract/errors.js';

/** RFC 6749 section 5.2 has few words for errors; everything not named here is `invalid_grant`. */
const ERRORS: Partial<Record<RefusalCode, string>> = {
  Unauthenticated: 'invalid_client',
  Forbidden: 'unauthorized_client',
  MalformedRequest: 'invalid_request',
  MalformedJson: 'invalid_request',
  PayloadTooLarge: 'invalid_request',
  PolicyDenied: 'access_denied',
  Internal: 'server_error',
  Unavailable: 'temporarily_unavailable',
};

/** Answers as OAuth wants it, with our own code and layer beside its word. */
export function sendTokenError(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, title, code, layer, path } = problemOf(refusal);
  const unsupported = code === 'MalformedRequest' && path === 'grant_type';
  const error = unsupported ? 'unsupported_grant_type' : (ERRORS[code] ?? 'invalid_grant');
  // Section 5.2: 400 for every refusal of a grant, 401 where the client itself is refused.
  return reply
    .code(status === 401 || status === 413 || status >= 500 ? status : 400)
    .header('cache-control', 'no-store')
    .send({
      error,
      error_description: title,
      code,
      layer,
      ...(path === undefined ? {} : { path }),
    });
}
