import { Refusal } from '../../../src/contract/errors.js';

export interface OriginHeaders {
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Rule: a request that changes something says `Origin: <configured origin>`, and `Sec-Fetch-Site: same-origin` where the
 * browser sends that header at all (every current one does).
 * Source: OWASP CSRF cheat sheet, "verifying origin"; W3C Fetch Metadata. Refusal: `CrossOrigin`.
 * Without it: any page the approver visits can post a decline in their name, or sign them in as somebody else.
 */
export function checkOrigin(headers: OriginHeaders, expectedOrigin: string): void {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== expectedOrigin || (site !== undefined && site !== 'same-origin')) {
    throw new Refusal('CrossOrigin', 'consent-ui', { detail: 'Origin or Sec-Fetch-Site' });
  }
}
