import { Refusal } from '../../../src/contract/errors.js';

/**
 * Rule: the passkey that opened the session is still enrolled.
 * Source: OWASP ASVS 7.4.2. Refusal: `Unauthenticated`.
 * Without it: a stolen device whose key was revoked goes on reading and declining for as long as its session lasts.
 */
export function checkKeyActive(keyId: string, activeKeys: readonly { key_id: string }[]): void {
  if (!activeKeys.some(({ key_id }) => key_id === keyId)) {
    throw new Refusal('Unauthenticated', 'consent-ui', { detail: 'the key was revoked' });
  }
}
