/** Authenticator data of an assertion (WebAuthn L3 section 6.1): 32 octets RP ID hash, flags, counter, extensions. */

export interface AuthenticatorData {
  readonly rpIdHash: Buffer;
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

const FLAGS_AT = 32;
const FIXED_OCTETS = 37;
const UP = 0x01;
const UV = 0x04;
const BE = 0x08;
const BS = 0x10;
const AT = 0x40;
const ED = 0x80;

/**
 * @throws Error for anything but the fixed part, followed by one CBOR map exactly if the ED flag says so. An assertion
 *   never holds attested credential data (AT).
 */
export function parseAuthenticatorData(bytes: Buffer): AuthenticatorData {
  const flags = bytes.length < FIXED_OCTETS ? 0 : bytes.readUInt8(FLAGS_AT);
  const has = (flag: number) => (flags & flag) !== 0;
  const end = has(ED) ? mapEnd(bytes, FIXED_OCTETS) : FIXED_OCTETS;
  if (bytes.length !== end || has(AT))
    throw new Error('not the authenticator data of an assertion');
  return {
    rpIdHash: bytes.subarray(0, FLAGS_AT),
    userPresent: has(UP),
    userVerified: has(UV),
    backupEligible: has(BE),
    backedUp: has(BS),
  };
}

const MAX_NESTING = 4;

function mapEnd(bytes: Buffer, at: number): number {
  if (bytes.readUInt8(at) >> 5 !== 5) throw new Error('extensions are a map');
  return itemEnd(bytes, at, 0);
}

/** Offset after one definite-length CBOR item (RFC 8949 section 3; CTAP2 nests at most 4 levels). Throws at the end of the bytes. */
function itemEnd(bytes: Buffer, at: number, nesting: number): number {
  if (nesting > MAX_NESTING) throw new Error('nested too deep');
  const initial = bytes.readUInt8(at);
  const short = initial & 0x1f;
  if (short > 26) throw new Error('no such length');
  const width = short < 24 ? 0 : 2 ** (short - 24);
  const argument = width === 0 ? short : bytes.readUIntBE(at + 1, width);
  const start = at + 1 + width;
  let items: number;
  switch (initial >> 5) {
    case 2: // byte string
    case 3: // text string
      if (start + argument > bytes.length) throw new Error('cut short');
      return start + argument;
    case 4: // array
      items = argument;
      break;
    case 5: // map
      items = argument * 2;
      break;
    case 6: // tag
      items = 1;
      break;
    default: // integers, simple values
      return start;
  }
  let end = start;
  for (let i = 0; i < items; i++) end = itemEnd(bytes, end, nesting + 1);
  return end;
}
