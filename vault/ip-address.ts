import { isIP } from 'node:net';

/** True for `127.0.0.1` and `[::1]`: hosts that cannot be a WebAuthn relying party id. */
export function isIpAddress(host: string): boolean {
  return isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
