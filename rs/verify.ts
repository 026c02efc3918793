/**
 * `consent-bridge/verify`: the resource server's checks without a server, for a service that verifies a credential itself
 * before it acts. Keys, clock, approvers and single-use store are the service's own. No HTTP server and no database is
 * loaded.
 */
import type { JsonObject } from '../src/contract/json.js';
import { deepFreeze } from '../src/contract/json.js';
import type { SignedPayload } from '../src/contract/payload.js';
import type { ApproverKey, Caller } from '../src/contract/wire.js';
import { Refusal } from '../src/contract/errors.js';
import { executeRequest } from '../src/contract/wire.js';
import type { Actions } from './actions/actions.js';
import { checkAllowed } from './checks/check-allowed.js';
import { checkApprovalPresent } from './checks/check-approval-present.js';
import { checkApproverPolicy } from './checks/check-approver-policy.js';
import { checkApprover } from './checks/check-approver.js';
import { checkArgsBound } from './checks/check-args-bound.js';
import { checkAudience } from './checks/check-audience.js';
import { checkAuthorizationDetail } from './checks/check-authorization-detail.js';
import { checkClient } from './checks/check-client.js';
import { checkCommandBound } from './checks/check-command-bound.js';
import { checkCommandKnown } from './checks/check-command-known.js';
import { checkCredentialShape } from './checks/check-credential-shape.js';
import { checkCredentialSignature } from './checks/check-credential-signature.js';
import { checkDefinitionPinned } from './checks/check-definition-pinned.js';
import { checkHumanSignature } from './checks/check-human-signature.js';
import { checkInput } from './checks/check-input.js';
import { checkIssuer } from './checks/check-issuer.js';
import { checkLifetime } from './checks/check-lifetime.js';
import { checkReachable } from './checks/check-reachable.js';
import { checkScopes } from './checks/check-scopes.js';
import { checkSignedBytes } from './checks/check-signed-bytes.js';
import { checkUnused } from './checks/check-unused.js';
import { JwksIssuerKeys } from './issuer-keys.js';
import { KeyList } from './key-list.js';
import { readAs } from './read-body.js';

export { Refusal } from '../src/contract/errors.js';
export type { ApproverKey, Caller, JsonObject, SignedPayload };

/** One use of an approval. Both names are single-use. */
export interface Use {
  /** The credential's id. */
  readonly jti: string;
  /** SHA-256 of the signed bytes, base64url: keyed on the bytes, since one ECDSA signature has a valid twin. */
  readonly hash: string;
  /** POSIX seconds; 30 seconds after this both can be forgotten. */
  readonly exp: number;
}

export interface VerifierOptions {
  /** This service's identifier: the `aud` of credentials and of signed payloads. */
  readonly resource: string;
  /** The vault's identifier: the `iss` of credentials. */
  readonly issuer: string;
  /** The vault's JWKS (RFC 7517): its address, or a function that gets the parsed document. */
  readonly jwks: string | (() => Promise<unknown>);
  /** Signature algorithms a credential may have. Default: ES256 and EdDSA. */
  readonly algorithms?: readonly ('ES256' | 'EdDSA')[];
  /** `type` members of `authorization_details` (RFC 9396). Default: `consent_bridge_action`. */
  readonly rarTypes?: readonly string[];
  /** What passkey assertions must name: the relying party and the origins of the consent page. */
  readonly webauthn: { readonly rpId: string; readonly origins: readonly string[] };
  /** The approvers' public keys, by this service's own knowledge; a function is asked at every call. */
  readonly approvers: readonly ApproverKey[] | (() => Promise<readonly ApproverKey[]>);
  /** Approver ids by command name or pattern; `subject` is the person the caller acts for. Default: the subject. */
  readonly policy?: {
    readonly default: readonly string[];
    readonly commands: ReadonlyMap<string, readonly string[]>;
  };
  /** Writes both names down, durably and in one step. False if either was there before: then nothing runs. */
  readonly use: (use: Use) => Promise<boolean>;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
}

export interface Call {
  readonly command: string;
  readonly args: JsonObject;
  /** The agent, as this service authenticated it. */
  readonly caller: Caller;
  readonly credential: string;
  readonly signed: SignedPayload;
}

/** What a person agreed to: run exactly this, now, once. */
export interface Verified extends Use {
  readonly command: string;
  /** Frozen at every level. */
  readonly args: JsonObject;
  readonly approverId: string;
  /** RFC 7638 thumbprint of the approver's key. */
  readonly keyId: string;
}

export interface Verifier {
  /**
   * Resolves once the call is what a person signed and the approval is spent. Act only then, and only on what it gives.
   * @throws Refusal with the code named in the header of the check that refused (layer `rs`)
   */
  verify(call: Call): Promise<Verified>;
}

const EVERYTHING_GATED = new Map<string, never>();
const SUBJECT = { default: ['subject'], commands: new Map<string, readonly string[]>() };
const JWKS_TIMEOUT_MS = 5000;

export function createVerifier(options: VerifierOptions): Verifier {
  const { resource, issuer, jwks, webauthn, use } = options;
  const { algorithms = ['ES256', 'EdDSA'], rarTypes = ['consent_bridge_action'] } = options;
  // The caller of a public entry point is the composition root; the machine's clock is what it means by none.
  // eslint-disable-next-line no-restricted-properties
  const { policy = SUBJECT, clock = () => Date.now() } = options;
  const fetchJwks = typeof jwks === 'string' ? () => documentAt(jwks) : jwks;
  const issuerKeys = { keys: new JwksIssuerKeys(fetchJwks, clock), algorithms };
  const approvers = new KeyList(options.approvers);
  const once = {
    start: async ({ jti, hash, exp }: Use): Promise<void> => {
      if (!(await use({ jti, hash, exp }))) throw new Refusal('CredentialReplay', 'rs');
    },
  };

  return {
    verify: async (call) => {
      const request = readAs(executeRequest, call);
      deepFreeze(request.args);
      const known = await checkCommandKnown(request, ANYTHING);
      const permitted = checkAllowed(known, EVERYTHING_GATED);
      const pinned = checkDefinitionPinned(permitted, ANYTHING);
      const approved = checkApprovalPresent(checkScopes(pinned));

      const shaped = checkCredentialShape(approved);
      const signed = await checkCredentialSignature(shaped, issuerKeys);
      const issued = checkIssuer(signed, issuer);
      const addressed = checkAudience(issued, resource);
      const current = checkLifetime(addressed, clock());
      const ours = checkClient(current);
      const detailed = checkAuthorizationDetail(ours, rarTypes);

      const sameCommand = checkCommandBound(detailed);
      const sameArgs = checkArgsBound(sameCommand);
      const rebuilt = checkSignedBytes(sameArgs, resource);
      const keyed = await checkApprover(rebuilt, approvers);
      const agreed = await checkHumanSignature(keyed, webauthn);
      const bound = checkApproverPolicy(agreed, policy);

      const wellFormed = checkInput(bound, ANYTHING);
      const reachable = await checkReachable(wellFormed, ANYTHING, 'self');
      const consumed = await checkUnused(reachable, once, 'self');
      const { claims, hash, key } = consumed.facts;
      const { jti, exp, sub: approverId } = claims;
      const { command, args } = consumed;
      return { command, args, jti, hash, exp, approverId, keyId: key.keyId };
    },
  };
}

/** Commands, definitions and schemas are the service's own business. */
const ANYTHING: Actions = {
  has: () => Promise.resolve(true),
  isChanged: () => false,
  checkInput: () => undefined,
  ready: () => Promise.resolve(),
  run: () => Promise.reject(new Error('a verifier runs nothing')),
};

async function documentAt(address: string): Promise<unknown> {
  const signal = AbortSignal.timeout(JWKS_TIMEOUT_MS);
  const response = await fetch(address, { redirect: 'error', signal });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}
