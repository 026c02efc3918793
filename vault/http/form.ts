import { refuse } from '../refuse.js';

/**
 * An `application/x-www-form-urlencoded` body. Unlike URLSearchParams it refuses what it cannot read exactly, and a
 * parameter that comes twice (RFC 6749 section 3.2), of which one reader may see the first and another the last.
 * @throws Refusal MalformedRequest with the parameter's name as path.
 */
export function parseForm(body: string): Readonly<Record<string, string>> {
  const form = new Map<string, string>();
  for (const pair of body.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    if (form.has(name)) throw refuse('MalformedRequest', { path: name });
    form.set(name, at < 0 ? '' : decode(pair.slice(at + 1)));
  }
  return Object.fromEntries(form);
}

/** Most values (base64url, tokens) hold nothing to decode. */
function decode(text: string): string {
  if (!ESCAPED.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw refuse('MalformedRequest', { detail: 'percent-encoding' });
  }
}

const ESCAPED = /[+%]/;
