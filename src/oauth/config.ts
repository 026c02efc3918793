import * as z from 'zod';
import { secureUrl } from './secure-url.js';

/** Algorithms a verifier may be configured with: digital signatures only, so no token says `none` or is a MAC (RFC 8725 section 3.1). */
const signatureAlgorithm = z.enum([
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
] as const);

/** An address that may be fetched: https, or http on this very machine. */
const fetchable = z
  .string()
  .refine(secureUrl, 'must be https; http only on 127.0.0.1, [::1] or localhost');

/** RFC 8414 section 2, RFC 9728 section 1.2: an address without query or fragment, compared as text ever after. */
const identifier = fetchable.refine(
  (text) => !/[?#]/.test(text),
  'must have neither query nor fragment',
);

/** A scope token of RFC 6749 section 3.3. */
export const scopeToken = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/);

const issuerConfig = z.strictObject({
  /** The `iss` of its tokens, to the letter. */
  issuer: identifier,
  /** Where its keys are. Found through its metadata when absent (RFC 8414, then OpenID Connect Discovery). */
  jwks_uri: fetchable.optional(),
  /** Signature algorithms of its tokens. ES256, EdDSA, RS256 and PS256 when absent. */
  algorithms: z.array(signatureAlgorithm).min(1).optional(),
  /** Claim that names the person. `sub` when absent; `email` counts only beside `email_verified: true`. */
  subject_claim: z.string().min(1).optional(),
  /** Claim that names the client. `client_id` when absent (RFC 9068 section 2.2). */
  client_claim: z.string().min(1).optional(),
  /**
   * Put before the subjects and clients of this issuer: a `sub` is unique within its issuer only (OpenID Connect Core
   * section 5.7). Empty when absent; no two issuers may have the same.
   */
  namespace: z.string().min(1).max(64).optional(),
  /** Audiences that may stand beside this resource in a token. None when absent: each of them could replay the token here. */
  other_audiences: z.array(z.string().min(1)).optional(),
});
export type IssuerConfig = z.infer<typeof issuerConfig>;

/** The `oauth` member of the bridge's `config.json`: who may issue access tokens for it. */
export const oauthConfig = z
  .strictObject({
    /** Canonical address of `/mcp` (RFC 9728 section 1.2, RFC 8707 section 2): the audience of every token taken here. */
    resource: identifier,
    issuers: z.array(issuerConfig).min(1),
    /** Scopes clients may ask for. Those of the tool policy when absent. */
    scopes_supported: z.array(scopeToken).optional(),
    /** Scopes a client without a token is told to ask for first. `scopes_supported` when absent. */
    initial_scopes: z.array(scopeToken).optional(),
    /** Whether tokens of `bridge token issue` are taken too. True when absent. */
    local_tokens: z.boolean().optional(),
  })
  .superRefine(({ issuers }, context) => {
    const complain = (message: string): void => {
      context.addIssue({ code: 'custom', path: ['issuers'], message });
    };
    if (new Set(issuers.map(({ issuer }) => issuer)).size < issuers.length)
      complain('must name each issuer once');
    if (new Set(issuers.map(({ namespace = '' }) => namespace)).size < issuers.length)
      complain('must give each issuer but one a namespace of its own');
  });
export type OauthConfig = z.infer<typeof oauthConfig>;
