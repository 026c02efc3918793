import type { JsonObject } from '../src/contract/json.js';
import { jsonEqual } from '../src/contract/json.js';
import type { SignedPayload } from '../src/contract/payload.js';
import type { CredentialClaims, MintedCredential, Vault } from '../src/contract/vault.js';
import { credentialClaims } from '../src/contract/vault.js';
import { CREDENTIAL_TYP } from '../src/contract/wire.js';
import type { Allotment } from './checks/check-unused.js';
import { posixSecondsOf } from './clock.js';
import { Consent } from './consent.js';
import { sha256 } from './digest.js';
import { readJws, signJws } from './jws.js';
import type { MintRules, SignatureStore } from './mint.js';
import { VerifiedConsent } from './mint.js';
import type { Policy } from './policy.js';
import { policyFor } from './policy.js';
import type { Random } from './random.js';
import { newJti } from './random.js';
import { refuse } from './refuse.js';
import { parseShape } from './shape.js';
import type { MintKeys } from './store/mint-keys.js';
import type { SpentCredentials } from './store/spent-credentials.js';

export interface OAuthVaultParts {
  /** `iss` of every credential. */
  readonly issuer: string;
  readonly rules: MintRules;
  readonly policy: Policy;
  readonly keys: Pick<MintKeys, 'active' | 'published'>;
  readonly signatures: Pick<SignatureStore, 'spend'>;
  readonly spentCredentials: Pick<SpentCredentials, 'spend'>;
  readonly random: Random;
}

/** For whom a credential is minted. */
export interface MintRequest {
  /** The authenticated client. */
  readonly clientId: string;
  readonly mayActFor: (clientId: string) => boolean;
  /** The resource server's identifier: `aud` of the credential. */
  readonly resource: string;
  /** Who the call is made for; what `subject` means in the policy. */
  readonly subject: string;
  /** The client's own id of this mint. Presented again with it, a payload gets the same credential, and no second one. */
  readonly mintId?: string;
}

/**
 * Tier 2: mints JWTs (RFC 9068 profile) that a separate resource server verifies with the vault's public key. The object
 * is the vault as one request sees it; what lasts is in `parts`.
 */
export class OAuthVault implements Vault {
  constructor(
    private readonly parts: OAuthVaultParts,
    private readonly request: MintRequest,
  ) {}

  /** {@inheritDoc Vault.mint} */
  async mint(signed: SignedPayload): Promise<MintedCredential> {
    return this.mintFor(Consent.read(signed));
  }

  /** {@link mint}, for who has read the payload already. */
  async mintFor(consent: Consent): Promise<MintedCredential> {
    const { rules, policy, keys, signatures, random } = this.parts;
    const { clientId, resource, subject, mintId, mayActFor } = this.request;
    const presenter = { resource, mayActFor, mayApprove: policyFor(policy, subject) };
    const verified = await VerifiedConsent.verify(consent, presenter, rules);
    const allotted = await signatures.spend(verified, {
      jti: newJti(rules.clock, random),
      iat: posixSecondsOf(rules.clock),
      presentation: mintId === undefined ? random(32) : presentationOf(clientId, mintId, resource),
      presentedBy: clientId,
    });
    const claims = this.#claims(consent, allotted);
    const credential = await signJws(CREDENTIAL_TYP, claims, keys.active());
    return { credential, ...factsOf(consent.payload.cmd, claims) };
  }

  /** {@inheritDoc Vault.consume} */
  async consume(credential: string, command: string, args: JsonObject): Promise<MintedCredential> {
    const { issuer, rules, keys, spentCredentials } = this.parts;
    const jws = readJws(credential, CREDENTIAL_TYP, 'MalformedCredential');
    const key = keys.published().find(({ keyId }) => keyId === jws.kid);
    if (key === undefined || !(await jws.isBy(key))) throw refuse('UnknownIssuer');
    const claims = parseShape(credentialClaims, jws.claims, 'MalformedCredential');
    if (claims.iss !== issuer) throw refuse('UnknownIssuer');
    if (claims.aud !== this.request.resource) throw refuse('WrongAudience');
    if (rules.clock() >= claims.exp * 1000) throw refuse('CredentialExpired');
    const [detail, ...others] = claims.authorization_details;
    if (detail === undefined || others.length > 0) throw refuse('MalformedCredential');
    if (detail.command !== command || !jsonEqual(detail.args, args)) {
      throw refuse('CredentialDrift');
    }
    await spentCredentials.spend(claims.jti, claims.exp);
    return { credential, ...factsOf(command, claims) };
  }

  #claims({ payload, hash, form }: Consent, { jti, iat }: Allotment) {
    const { cmd: command, args, rar_type: type, exp, approver_id: sub } = payload;
    const inForm2 = 'v' in payload;
    return {
      iss: this.parts.issuer,
      aud: this.request.resource,
      sub,
      ...(inForm2 ? { client_id: payload.client_id } : {}),
      iat,
      exp,
      jti,
      authorization_details: [{ type, command, args }],
      consent: { hash, form, ...(inForm2 ? { nonce: payload.nonce } : {}) },
    };
  }
}

/** JSON of a list of strings can be read in one way only, so no two presentations share a digest. */
function presentationOf(...parts: readonly string[]): Buffer {
  return sha256(JSON.stringify(parts));
}

function factsOf(
  command: string,
  { jti, exp, sub }: Pick<CredentialClaims, 'jti' | 'exp' | 'sub'>,
) {
  return { jti, exp, approverId: sub, command };
}
