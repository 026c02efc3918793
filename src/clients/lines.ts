const NEWLINE = 0x0a;

/**
 * The lines of a byte stream as text (strict UTF-8), without their newline.
 * @throws Error when a line has more than `maxBytes` bytes or is not UTF-8
 */
export async function* linesOf(
  stream: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<string, void, undefined> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end));
      yield utf8.decode(Buffer.concat(parts));
      parts = [];
      size = 0;
      from = end + 1;
    }
    const rest = chunk.subarray(from);
    if (rest.length === 0) continue;
    parts.push(rest);
    size += rest.length;
    if (size > maxBytes) throw new Error(`a line of over ${maxBytes} bytes`);
  }
  if (size > 0) yield utf8.decode(Buffer.concat(parts));
}
