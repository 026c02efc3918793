/**
 * What nobody can do without, on this machine: `node:crypto` for exactly the signatures of one mint and one execution.
 *
 *   vault   verify  ES256, DER       the human's assertion
 *   vault   sign    ES256, r||s      the credential
 *   rs      verify  ES256, r||s      the credential
 *   rs      verify  ES256, DER       the human's assertion, again
 */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { drive, repeat } from './measure.mjs';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Authenticator data and a digest; a credential's signing input. */
const ASSERTION = Buffer.alloc(69, 7);
const TOKEN = Buffer.alloc(667, 7);

const made = (data, dsaEncoding) => sign('sha256', data, { key: privateKey, dsaEncoding });
const OPERATIONS = {
  'verify human (vault)': verification(ASSERTION, 'der'),
  'sign credential (vault)': signing(TOKEN),
  'verify credential (rs)': verification(TOKEN, 'ieee-p1363'),
  'verify human (rs)': verification(ASSERTION, 'der'),
};

function verification(data, dsaEncoding) {
  const key = { key: publicKey, dsaEncoding };
  const signature = made(data, dsaEncoding);
  return {
    now: () => verify('sha256', data, key, signature),
    pooled: () =>
      new Promise((resolve) => {
        verify('sha256', data, key, signature, (_error, holds) => resolve(holds));
      }),
  };
}

function signing(data) {
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' };
  return {
    now: () => sign('sha256', data, key),
    pooled: () =>
      new Promise((resolve) => {
        sign('sha256', data, key, (_error, signature) => resolve(signature));
      }),
  };
}

/** All four in turn, in the thread pool, as one call of the path needs them. */
export async function pathInPool() {
  for (const { pooled } of Object.values(OPERATIONS)) await pooled();
}

/** CPU microseconds of each operation, called directly and through the thread pool with 64 in flight. */
export async function bareCrypto() {
  const rows = {};
  for (const [name, { now, pooled }] of Object.entries(OPERATIONS)) {
    const direct = repeat(1000, now);
    const pool = await drive(Array.from({ length: 2000 }), 64, pooled);
    rows[name] = { direct, pooled: pool.cpuMicros };
  }
  return rows;
}

/** One round of the whole path: `cpuMicros` is what one core needs for it. */
export function bareRound(inFlight, calls) {
  return drive(Array.from({ length: calls }), inFlight, pathInPool);
}
