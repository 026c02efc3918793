/** Widths of a length written after the initial octet, by the value that says so (RFC 8949 section 3). */
const WIDTHS = new Map([
  [24, 1],
  [25, 2],
  [26, 4],
]);

/**
 * True if the octets are one CBOR map and nothing else, as an authenticator writes extension outputs: definite lengths
 * only (CTAP2 section 8). The resource server has a reader of its own, on purpose.
 */
export function isOneCborMap(data: Buffer): boolean {
  if (data.length === 0 || data.readUInt8(0) >> 5 !== 5) return false;
  let at = 0;
  for (let items = 1; items > 0; items--) {
    const head = headAt(data, at);
    if (head === undefined) return false;
    at = head.end + head.octets;
    items += head.items;
  }
  return at === data.length;
}

/** The head of one item: where it ends, how many octets of text follow, and how many items it holds. */
function headAt(data: Buffer, at: number) {
  if (at >= data.length) return undefined;
  const initial = data.readUInt8(at);
  const short = initial & 0x1f;
  const width = short < 24 ? 0 : WIDTHS.get(short);
  if (width === undefined || at + 1 + width > data.length) return undefined;
  const argument = width === 0 ? short : data.readUIntBE(at + 1, width);
  const end = at + 1 + width;
  switch (initial >> 5) {
    case 2: // byte string
    case 3: // text string
      return { end, octets: argument, items: 0 };
    case 4: // list
      return { end, octets: 0, items: argument };
    case 5: // map
      return { end, octets: 0, items: 2 * argument };
    case 6: // tag
      return { end, octets: 0, items: 1 };
    default: // integers and simple values
      return { end, octets: 0, items: 0 };
  }
}
