import { createHash, createHmac } from 'node:crypto';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import { Refusal } from '../../../src/contract/errors.js';
import type { Payload } from '../../../src/contract/payload.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import type { OracleAnswer, OracleRequest } from '../../oracle/run-oracle.js';

/** Runs `act` and answers with the refusal it throws; anything else it throws is a bug and goes on up. */
export function refusalOf(act: () => unknown): { refused: string; path: string | undefined } {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, path: error.path };
    throw error;
  }
  throw new Error('nothing was refused');
}

/** What our implementation says to a request that the oracle understands too. */
export function ourAnswer(request: Exclude<OracleRequest, { value: unknown }>): OracleAnswer {
  try {
    const payload = 'raw' in request ? parseStrictJson(request.raw, 'vault') : request.payload;
    const bytes = canonicalBytes(payload as Payload, 'vault');
    const form1 = !Object.hasOwn(payload as Payload, 'v');
    return {
      canonical_hex: Buffer.from(bytes).toString('hex'),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...(form1 && {
        hmac_sha256: createHmac('sha256', 'demo-user-signing-secret').update(bytes).digest('hex'),
      }),
    };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, path: error.path ?? 'no path' };
    throw error;
  }
}
