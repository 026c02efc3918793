import type { AuthInfo } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { Refusal } from '../contract/errors.js';
import { type Caller, caller } from '../contract/wire.js';
import type { AccessTokens } from '../oauth/access-token.js';
import { TOKEN_PREFIX, type TokenStore } from '../store/tokens.js';

/** What takes tokens: this bridge's own store, authorization servers, or both. */
export interface Callers {
  /** Absent where the configuration says `local_tokens: false`. */
  readonly local: Pick<TokenStore, 'callerOf' | 'callerOfId'> | undefined;
  /** Absent without an `oauth` member. */
  readonly oauth: Pick<AccessTokens, 'verify' | 'trusts'> | undefined;
}

const grant = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('local'), tokenId: z.string() }),
  z.strictObject({ kind: z.literal('oauth'), issuer: z.string() }),
]);

/** By what a caller is one: a token this bridge issued and can revoke, or an issuer's word until it expires. */
export type Grant = z.infer<typeof grant>;

export interface Authenticated {
  readonly caller: Caller;
  readonly grant: Grant;
  /** POSIX seconds. */
  readonly expiresAt: number;
}

/**
 * The caller behind an `Authorization: Bearer` header (RFC 6750 section 2.1). A token of this bridge's own begins with
 * {@link TOKEN_PREFIX} and is looked up; any other is an access token and is verified. Neither is ever tried as the other.
 * There is no anonymous caller.
 * @throws Refusal `Unauthenticated` (layer `bridge`), `Unavailable` when the token's issuer is away
 */
export async function authenticate(
  header: string | undefined,
  { local, oauth }: Callers,
): Promise<Authenticated> {
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header ?? '')?.[1];
  if (token === undefined) throw new Refusal('Unauthenticated', 'bridge');
  if (token.startsWith(TOKEN_PREFIX)) {
    const known = local?.callerOf(token);
    if (known === undefined) throw new Refusal('Unauthenticated', 'bridge');
    const { caller: who, expiresAt, tokenId } = known;
    return { caller: who, expiresAt, grant: { kind: 'local', tokenId } };
  }
  if (oauth === undefined) throw new Refusal('Unauthenticated', 'bridge');
  const { caller: who, expiresAt, issuer } = await oauth.verify(token);
  return { caller: who, expiresAt, grant: { kind: 'oauth', issuer } };
}

/** Whether a request brought a token at all, good or not: only then is it told that the token is no good. */
export function presentsToken(header: string | undefined): boolean {
  return /^bearer\b/i.test(header ?? '');
}

/** The caller as the SDK carries it: the token itself is not passed on. */
export function authInfoOf({ caller: who, expiresAt, grant: by }: Authenticated): AuthInfo {
  return {
    token: '',
    clientId: who.client_id,
    scopes: who.scopes,
    expiresAt,
    extra: { caller: who, grant: by },
  };
}

/** The caller {@link authenticate} found. @throws Refusal `Unauthenticated` when there is none */
export function callerOf(auth: AuthInfo | undefined): Caller {
  const parsed = caller.safeParse(auth?.extra?.['caller']);
  if (!parsed.success) throw new Refusal('Unauthenticated', 'bridge');
  return parsed.data;
}

/**
 * The same, as long as what they came with is still good: asked again before something runs that waited for a person.
 * @throws Refusal `Unauthenticated`
 */
export function callerNow(auth: AuthInfo | undefined, { local, oauth }: Callers): Caller {
  const by = grantOf(auth);
  const isGood =
    by.kind === 'local'
      ? local?.callerOfId(by.tokenId) !== undefined
      : oauth?.trusts(by.issuer) === true;
  if (!isGood) throw new Refusal('Unauthenticated', 'bridge');
  return callerOf(auth);
}

/** By what {@link callerOf} is a caller. @throws Refusal `Unauthenticated` when there is none */
export function grantOf(auth: AuthInfo | undefined): Grant {
  const parsed = grant.safeParse(auth?.extra?.['grant']);
  if (!parsed.success) throw new Refusal('Unauthenticated', 'bridge');
  return parsed.data;
}
