/** Wire schemas of what a human signs (DESIGN: form 1 and form 2) and of the signature beside it. CANONICAL.md is normative. */
import * as z from 'zod';
import type { JsonObject, JsonValue } from './json.js';
import { isJsonObject } from './json.js';

/** Any JSON object, taken as it is: nothing is coerced, defaulted or stripped. Depth and numbers are the canonicalizer's business. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON object');
export const jsonValue = z.custom<JsonValue>((v) => v !== undefined, 'must be a JSON value');

/** Whole seconds since 1970-01-01T00:00:00Z, positive and exact (RFC 7519 NumericDate without fractions). */
export const posixSeconds = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const fields = {
  cmd: z.string().min(1),
  args: jsonObject,
  rar_type: z.string().min(1),
  exp: posixSeconds,
  approver_id: z.string().min(1),
  binding_message: z.string(),
};

/** Form 1: no `v` member; integers only; ASCII-escaped canonical JSON. */
export const form1Payload = z.strictObject(fields);

/** Form 2: `v` is 2; RFC 8785. `aud` is the resource server, `client_id` the agent that may use the approval, `nonce` the consent id. */
export const form2Payload = z.strictObject({
  v: z.literal(2),
  ...fields,
  aud: z.string().min(1),
  client_id: z.string().min(1),
  nonce: z.string().min(1),
});

export const payload = z.union([form2Payload, form1Payload]);
export type Form1Payload = z.infer<typeof form1Payload>;
export type Form2Payload = z.infer<typeof form2Payload>;
export type Payload = z.infer<typeof payload>;

/**
 * Base64url without padding (RFC 4648 section 5), in its one canonical spelling: the bits of the last letter that belong
 * to no octet are zero (section 3.5). Else one signature would have several texts, and a strict reader refuse what a
 * lenient one had accepted.
 */
export const base64url = z
  .string()
  .min(1)
  .regex(
    /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/,
    'must be base64url without padding',
  );

/** RFC 7638 JWK thumbprint (SHA-256, base64url) of the approver's public key; for HMAC keys, of the `oct` JWK. */
export const keyId = base64url.length(43);

/**
 * One signature over the canonical bytes. The schemes:
 * - `webauthn`: an assertion whose challenge is SHA-256 of the canonical bytes (WebAuthn L3 section 7.2), all members base64url;
 * - `eddsa`: Ed25519 over the canonical bytes, 64 octets base64url (RFC 8032);
 * - `es256`: ECDSA P-256 with SHA-256 over the canonical bytes, r||s, 64 octets base64url (RFC 7518 section 3.4);
 * - `hmac-sha256`: 64 lowercase hex digits over the canonical bytes; Tier 1 only.
 */
export const signature = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: z.literal('webauthn'),
    key_id: keyId,
    credential_id: base64url.max(1400),
    authenticator_data: base64url.max(4096),
    client_data_json: base64url.max(4096),
    signature: base64url.max(2048),
  }),
  z.strictObject({ scheme: z.literal('eddsa'), key_id: keyId, signature: base64url.length(86) }),
  z.strictObject({ scheme: z.literal('es256'), key_id: keyId, signature: base64url.length(86) }),
  z.strictObject({
    scheme: z.literal('hmac-sha256'),
    key_id: keyId,
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
]);
export type Signature = z.infer<typeof signature>;
export type WebauthnSignature = Extract<Signature, { scheme: 'webauthn' }>;
export const signatureScheme = z.enum(['webauthn', 'eddsa', 'es256', 'hmac-sha256']);
export type SignatureScheme = z.infer<typeof signatureScheme>;

/** The canonical fields plus the human's signature. */
export const signedPayload = z.strictObject({ payload, signature });
export type SignedPayload = z.infer<typeof signedPayload>;
