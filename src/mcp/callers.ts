import type { AuthInfo } from '@modelcontextprotocol/server';
import { Refusal } from '../contract/errors.js';
import { type Caller, caller } from '../contract/wire.js';
import type { TokenStore } from '../store/tokens.js';

/**
 * The caller behind an `Authorization: Bearer` header (RFC 6750 section 2.1), as the SDK carries it: the token itself is
 * not passed on. There is no anonymous caller.
 * @throws Refusal `Unauthenticated` (layer `bridge`)
 */
export function authenticate(header: string | undefined, tokens: TokenStore): AuthInfo {
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header ?? '')?.[1];
  const known = token === undefined ? undefined : tokens.callerOf(token);
  if (known === undefined) throw new Refusal('Unauthenticated', 'bridge');
  const { client_id, scopes } = known.caller;
  return {
    token: '',
    clientId: client_id,
    scopes,
    expiresAt: known.expiresAt,
    extra: { caller: known.caller, tokenId: known.tokenId },
  };
}

/** The caller {@link authenticate} found. @throws Refusal `Unauthenticated` when there is none */
export function callerOf(auth: AuthInfo | undefined): Caller {
  const parsed = caller.safeParse(auth?.extra?.['caller']);
  if (!parsed.success) throw new Refusal('Unauthenticated', 'bridge');
  return parsed.data;
}
