import type { Signature } from '../../src/contract/payload.js';

/** Order of the P-256 group (FIPS 186-5, SP 800-186 section 3.2.1.3). */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other valid ECDSA signature anyone can make of one in DER: (r, s) becomes (r, n−s). */
export function negated<S extends Signature>(made: S): S {
  const der = Buffer.from(made.signature, 'base64url');
  const rLength = der.readUInt8(3);
  const r = der.subarray(4, 4 + rLength);
  const s = BigInt(`0x${der.subarray(6 + rLength).toString('hex')}`);
  const twin = derInteger(N - s);
  const body = Buffer.concat([Buffer.of(2, r.length), r, Buffer.of(2, twin.length), twin]);
  const signature = Buffer.concat([Buffer.of(0x30, body.length), body]).toString('base64url');
  return { ...made, signature };
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const octets = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return octets.readUInt8(0) < 0x80 ? octets : Buffer.concat([Buffer.of(0), octets]);
}
