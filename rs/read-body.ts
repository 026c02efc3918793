/** Request bodies: strict JSON from the raw text, then a schema of the contract; nothing is coerced or dropped on the way. */
import type { FastifyInstance } from 'fastify';
import type * as z from 'zod';
import { Refusal } from '../src/contract/errors.js';
import { pathOf } from '../src/contract/path.js';
import { parseStrictJson } from '../src/contract/strict-json.js';

/** A lenient decoder would put U+FFFD where an octet was wrong, and check that against a signature. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Makes `application/json`, read by the strict parser, the only kind of body this app takes. */
export function acceptStrictJson(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    (_request, octets, done) => {
      try {
        done(null, parseStrictJson(utf8.decode(octets), 'rs'));
      } catch (error) {
        done(error instanceof Refusal ? error : new Refusal('MalformedJson', 'rs', { path: '' }));
      }
    },
  );
}

/** @throws Refusal MalformedRequest with the path of the first member that does not fit */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const steps = [...(issue?.path ?? []), ...unknown];
  const path = pathOf(steps.map((step) => (typeof step === 'number' ? step : String(step))));
  throw new Refusal('MalformedRequest', 'rs', { path });
}
