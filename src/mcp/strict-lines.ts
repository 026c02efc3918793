import { Transform, type Writable } from 'node:stream';
import { Refusal, problemOf } from '../contract/errors.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { MAX_BODY_BYTES } from '../contract/wire.js';
import { malformedRetry } from './raw-message.js';

const NEWLINE = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Passes on lines that are acceptable JSON in UTF-8 and answers the others on `stdout`, since the SDK's own parser would
 * take duplicate members and replace bad octets. A line over 256 KiB ends the stream with `PayloadTooLarge`.
 */
export function strictLines(stdout: Writable): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
        const line = rest.subarray(0, end + 1);
        rest = rest.subarray(end + 1);
        const answer = line.length > 1 ? problemWith(line) : undefined;
        if (answer === undefined) this.push(line);
        else stdout.write(`${JSON.stringify(answer)}\n`);
      }
      done(rest.length > MAX_BODY_BYTES ? new Refusal('PayloadTooLarge', 'bridge') : null);
    },
  });
}

/** The JSON-RPC error a line earns before anything reads it, or undefined when it is acceptable. */
function problemWith(line: Buffer): object | undefined {
  try {
    return malformedRetry(parseStrictJson(utf8.decode(line), 'bridge'));
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : new Refusal('MalformedJson', 'bridge', { path: '' });
    const data = problemOf(refusal);
    return { jsonrpc: '2.0', error: { code: -32_700, message: data.title, data }, id: null };
  }
}
