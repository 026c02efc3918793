const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * Whether an address may be asked for keys or tokens: https, or http where the answer cannot come from another machine
 * (RFC 8414 section 2, RFC 9728 section 3 demand TLS).
 */
export function secureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}
