import { Refusal } from '../../../src/contract/errors.js';

/**
 * Rule: a browser reaches the page under the configured origin's host and no other name.
 * Source: DNS rebinding (W3C Private Network Access, section 1.2). Refusal: `CrossOrigin`.
 * Without it: a site whose name an attacker points at this machine is "same origin" with the page it loads from here.
 */
export function checkHost(host: string | undefined, expectedOrigin: string): void {
  if (host?.toLowerCase() !== new URL(expectedOrigin).host) {
    throw new Refusal('CrossOrigin', 'consent-ui', { detail: 'Host is not the configured one' });
  }
}
