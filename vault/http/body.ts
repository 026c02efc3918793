import type { FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES } from '../../src/contract/wire.js';
import type { RefusalCode } from '../../src/contract/errors.js';
import { refuse } from '../refuse.js';

/**
 * The one body format these routes take. Bytes that are not UTF-8 are refused: a lenient decoder would put U+FFFD in
 * their place, and something else would be signed for than was sent.
 */
export function acceptOnly(
  app: FastifyInstance,
  mediaType: string,
  parse: (octets: Uint8Array) => unknown,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    mediaType,
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => {
      try {
        done(null, parse(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error('not an error'));
      }
    },
  );
}

/** @throws Refusal `code`. */
export function decodeUtf8(bytes: Uint8Array, code: RefusalCode): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse(code, { detail: 'not UTF-8' });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
