import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { FastifyRequest } from 'fastify';
import { Refusal, type RefusalCode } from '../../src/contract/errors.js';
import { APPROVER_ASSERTION_TYP } from '../../src/contract/wire.js';
import { checkCsrf } from './checks/check-csrf.js';
import type { Clock } from './clock.js';
import { NO_KEY, csrfTokenOf, type Sessions } from './sessions.js';
import type { SessionCookie } from './session-cookie.js';
import type { SignedIn, Vault } from './vault-client.js';

/** The person a request comes from. */
export interface Approver {
  readonly approverId: string;
  /** The key they signed in with; absent for a session begun at an OpenID Provider. */
  readonly keyId: string | undefined;
  /** Token of the browser session; absent for a terminal approver, who signs each request's assertion instead. */
  readonly sessionToken: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    approver: Approver | undefined;
  }
}

const LAYER = 'consent-ui';
const MAX_REMEMBERED = 1000;
/** How the vault says that an assertion is not acceptable, as opposed to not being able to say. */
const ASSERTION_REFUSALS: ReadonlySet<RefusalCode> = new Set(['CeremonyFailed', 'UnknownApprover']);

/** Finds out who is asking: by session cookie, or by a bearer assertion, in which case no cookie is looked at. */
export class ApproverIdentification {
  /** Verified assertions until they expire, by themselves: they live 60 s at most. */
  private readonly verified = new Map<string, { readonly who: SignedIn; readonly exp: number }>();

  constructor(
    private readonly deps: {
      readonly sessions: Sessions;
      readonly cookie: SessionCookie;
      readonly vault: Vault;
      readonly clock: Clock;
      readonly origin: string;
    },
  ) {}

  /** @throws Refusal Unauthenticated when a bearer assertion is not accepted; a stale cookie is nobody, not an error */
  async identify(request: FastifyRequest): Promise<Approver | undefined> {
    const { authorization } = request.headers;
    if (authorization !== undefined) return this.byAssertion(authorization);
    const sessionToken = request.cookies[this.deps.cookie.name];
    const session = sessionToken === undefined ? undefined : this.deps.sessions.find(sessionToken);
    if (session === undefined) return undefined;
    const keyId = session.key_id === NO_KEY ? undefined : session.key_id;
    return { approverId: session.approver_id, keyId, sessionToken };
  }

  private async byAssertion(authorization: string): Promise<Approver> {
    const assertion = /^Bearer ([\w.-]{1,4096})$/.exec(authorization)?.[1];
    const exp = assertion === undefined ? undefined : this.expiryOf(assertion);
    if (assertion === undefined || exp === undefined) throw new Refusal('Unauthenticated', LAYER);
    const who = this.verified.get(assertion)?.who ?? (await this.signIn(assertion));
    if (this.verified.size >= MAX_REMEMBERED) this.verified.clear();
    this.verified.set(assertion, { who, exp });
    return { approverId: who.approver_id, keyId: who.key_id, sessionToken: undefined };
  }

  private async signIn(assertion: string): Promise<SignedIn> {
    try {
      return await this.deps.vault.signInWithKey(assertion);
    } catch (error) {
      if (error instanceof Refusal && ASSERTION_REFUSALS.has(error.code)) {
        throw new Refusal('Unauthenticated', LAYER, { detail: `vault: ${error.code}` });
      }
      throw error;
    }
  }

  /** `exp` of an assertion that looks meant for this page and unexpired; the vault verifies it. */
  private expiryOf(assertion: string): number | undefined {
    try {
      const { typ } = decodeProtectedHeader(assertion);
      const { exp, aud } = decodeJwt(assertion);
      const live = exp !== undefined && exp > this.deps.clock() / 1000;
      return typ === APPROVER_ASSERTION_TYP && aud === this.deps.origin && live ? exp : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The approver a route needs. A changing request of a session must carry its CSRF token. @throws Refusal Unauthenticated, CrossOrigin */
export function requireApprover(request: FastifyRequest): Approver {
  const { approver } = request;
  if (approver === undefined) throw new Refusal('Unauthenticated', LAYER);
  if (changes(request) && approver.sessionToken !== undefined) {
    checkCsrf(request.headers['x-csrf-token'], csrfTokenOf(approver.sessionToken));
  }
  return approver;
}

export function changes(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD';
}
