import { Refusal } from '../../contract/errors.js';

/**
 * A consent page's address may be shown to a person only when its origin is one the operator listed for that agent.
 * Without this a hop could send the person to a page of its own, or hand the host a `javascript:` or `file:` link.
 * @throws Refusal `HopMismatch` (layer `bridge`)
 */
export function checkPageUrl(url: string, allowedOrigins: readonly string[]): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const plain =
    parsed !== undefined &&
    (parsed.protocol === 'https:' || parsed.protocol === 'http:') &&
    parsed.username === '' &&
    parsed.password === '' &&
    // What is compared is what is shown: no spaces, backslashes or letters the parser would have to repair.
    parsed.href === url;
  if (!plain || !allowedOrigins.includes(parsed.origin))
    throw new Refusal('HopMismatch', 'bridge', { path: 'consent_url' });
}
