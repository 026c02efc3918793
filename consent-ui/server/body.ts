import type { FastifyInstance } from 'fastify';
import type * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import { parseStrictJson } from '../../src/contract/strict-json.js';

const LAYER = 'consent-ui';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Bodies are `application/json` and nothing else, read by the contract's strict parser: duplicate members are refused, and
 * so are bytes that are not UTF-8, for which a lenient decoder would show and sign something that was not sent.
 */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      try {
        done(null, parseStrictJson(utf8.decode(body), LAYER));
      } catch (error) {
        done(error instanceof Refusal ? error : new Refusal('MalformedJson', LAYER));
      }
    },
  );
}

/** The value if it has the shape; it is neither coerced nor stripped. @throws Refusal MalformedRequest with the path of the first bad member */
export function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal('MalformedRequest', LAYER, { path: issue?.path.join('.') ?? '' });
}
