import type { FastifyInstance } from 'fastify';
import { MAX_BODY_BYTES } from '../../src/contract/wire.js';
import { refuse } from '../refuse.js';

/**
 * The one body format these routes take. Bytes that are not UTF-8 are refused: a lenient decoder would put U+FFFD in
 * their place, and something else would be signed for than was sent.
 */
export function acceptOnly(
  app: FastifyInstance,
  mediaType: string,
  parse: (text: string) => unknown,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    mediaType,
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    (_request, body, done) => {
      try {
        done(null, parse(decodeUtf8(body)));
      } catch (error) {
        done(error instanceof Error ? error : new Error('not an error'));
      }
    },
  );
}

/** @throws Refusal MalformedRequest. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse('MalformedRequest', { detail: 'not UTF-8' });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
