/** What to tell a person whose passkey prompt ended without a result. */
export function passkeyErrorText(error: unknown): string {
  const name = error instanceof Error ? (causeOf(error) ?? error).name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'The passkey prompt was closed or timed out. Nothing was signed.';
    case 'InvalidStateError':
      return 'This device already holds a passkey for you here.';
    case 'SecurityError':
      return 'This address cannot use passkeys. Open the page under its own name, not an IP address.';
    case 'NotSupportedError':
      return 'This device or browser has no passkey that fits.';
    default:
      return 'The passkey could not be used. Nothing was signed.';
  }
}

function causeOf(error: Error): Error | undefined {
  return error.cause instanceof Error ? error.cause : undefined;
}
