/** A consent id: what the URL, the file of the page and the signed `nonce` all name. */
export const CONSENT_ID = /^[A-Za-z0-9_-]{16,128}$/;

/**
 * Where to go after sign-in: the consent page that was asked for, or the list. Anything else, above all another site's
 * address, becomes the list (OWASP, unvalidated redirects).
 */
export function nextPath(wanted: unknown): string {
  const id = typeof wanted === 'string' ? /^\/consents\/([^/]+)$/.exec(wanted)?.[1] : undefined;
  return id !== undefined && CONSENT_ID.test(id) ? `/consents/${id}` : '/';
}
