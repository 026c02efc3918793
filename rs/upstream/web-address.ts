/** True for an address a person may be sent to: http or https, and nothing that runs, reads files or opens programs. */
export function isWebAddress(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  return ['http:', 'https:'].includes(new URL(address).protocol);
}
