import * as z from 'zod';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { refuse } from './refuse.js';

/** WebAuthn L3 section 5.8.1; members of later versions are allowed and ignored, as section 5.8.1.2 asks. */
const collectedClientData = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.literal(false).optional(),
  topOrigin: z.undefined().optional(),
});
type ClientData = z.infer<typeof collectedClientData>;

/** What the vault's own configuration says of the page and its relying party. */
export interface WebauthnExpectations {
  readonly rpId: string;
  readonly origins: readonly string[];
}

/**
 * Collected client data, read strictly: valid UTF-8, no duplicate members, and no sign of having been made inside a
 * frame of another site, where a page around ours could dress the ceremony up as something else.
 * @throws Refusal `code` for anything else.
 */
export function readClientData(
  encoded: string,
  code: 'SignatureMismatch' | 'CeremonyFailed',
): ClientData {
  try {
    const text = utf8.decode(Buffer.from(encoded, 'base64url'));
    return collectedClientData.parse(parseStrictJson(text, 'vault'));
  } catch {
    throw refuse(code, { detail: 'client data is malformed or from another site' });
  }
}

/** `ignoreBOM` keeps a byte order mark in the text, where JSON then refuses it. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
