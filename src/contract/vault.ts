/** The seam the design rests on: two methods, the same in both tiers. */
import * as z from 'zod';
import type { JsonObject } from './json.js';
import type { SignedPayload } from './payload.js';
import { jsonObject, posixSeconds } from './payload.js';

export interface MintedCredential {
  /** Opaque to everything but the verifier: a random id in Tier 1, a JWT in Tier 2. */
  readonly credential: string;
  /** Unique, time-ordered id of the credential. */
  readonly jti: string;
  /** The signed deadline, POSIX seconds. */
  readonly exp: number;
  readonly approverId: string;
  readonly command: string;
}

export interface Vault {
  /**
   * Human signature in, single-use credential out.
   * @throws Refusal MalformedPayload, PayloadDriftAtMint, UnknownApprover, PolicyDenied, SignatureMismatch,
   *   AuthenticatorCloned, CredentialExpired, SignatureReplay (layer `vault`); Unavailable when it cannot be reached.
   */
  mint(signed: SignedPayload): Promise<MintedCredential>;
  /**
   * Credential and live request in, binding confirmed and the credential spent out. The caller executes only if this resolves.
   * @throws Refusal MalformedCredential, CredentialExpired, CredentialDrift, CredentialReplay, UnknownIssuer, WrongAudience.
   */
  consume(credential: string, command: string, args: JsonObject): Promise<MintedCredential>;
}

/** RFC 9396: the one entry a credential carries. */
export const authorizationDetail = z.strictObject({
  type: z.string().min(1),
  command: z.string().min(1),
  args: jsonObject,
});
export type AuthorizationDetail = z.infer<typeof authorizationDetail>;

/** What the credential says of the signed bytes: base64url SHA-256 of them, their form, and the consent id (absent in form 1). */
export const consentClaim = z.strictObject({
  hash: z.string().length(43),
  form: z.union([z.literal(1), z.literal(2)]),
  nonce: z.string().min(1).optional(),
});

/** Claims of a Tier 2 credential (RFC 9068 profile; `aud` is minted scalar and accepted as an array naming one audience). */
export const credentialClaims = z.looseObject({
  iss: z.string().min(1),
  aud: z.union([z.string().min(1), z.array(z.string().min(1))]),
  sub: z.string().min(1),
  client_id: z.string().min(1).optional(),
  iat: posixSeconds,
  exp: posixSeconds,
  jti: z.string().min(1).max(128),
  authorization_details: z.array(authorizationDetail),
  consent: consentClaim,
});
export type CredentialClaims = z.infer<typeof credentialClaims>;
