import { Refusal } from '../../contract/errors.js';
import type { Caller } from '../../contract/wire.js';
import type { Authenticated, Callers } from '../../mcp/callers.js';

/**
 * Seconds a task goes on after it was begun under an access token: as long as any approval can take (600 s) and a minute.
 * Such tokens are short-lived, and nobody can take one back; a person's answer often comes after its end.
 */
const MANDATE_S = 660;

/** By what a task may go on. Kept with it, so that a restart changes nothing. */
export interface Mandate {
  /** The local token it came with: no longer good, no longer done. */
  readonly tokenId?: string;
  /** Or what an access token said when the task began. */
  readonly oauth?: {
    readonly issuer: string;
    readonly caller: Caller;
    /** POSIX seconds. */
    readonly until: number;
  };
}

/**
 * @param stated for whom the sender says it acts, in a statement that was checked
 * @param actsFor for whom which client may ask with an access token of its own
 * @param now POSIX seconds
 * @throws Refusal `Forbidden` (layer `bridge`) for somebody the token is not for and its client may not speak for
 */
export function mandateOf(
  { caller: who, grant, expiresAt }: Authenticated,
  stated: string | undefined,
  actsFor: Readonly<Record<string, readonly string[]>>,
  now: number,
): Mandate {
  const isOwn = stated === undefined || stated === who.subject;
  const { client_id } = who;
  if (grant.kind === 'local') {
    if (!isOwn) throw new Refusal('Forbidden', 'bridge', { path: 'chain' });
    return { tokenId: grant.tokenId };
  }
  const allowed = Object.hasOwn(actsFor, client_id) ? actsFor[client_id] : undefined;
  if (!isOwn && allowed?.includes(stated) !== true)
    throw new Refusal('Forbidden', 'bridge', { path: 'chain' });
  const acting = { ...who, subject: stated ?? who.subject };
  const until = Math.max(expiresAt, now + MANDATE_S);
  return { oauth: { issuer: grant.issuer, caller: acting, until } };
}

/** Whom a task acts for now, or undefined when it may not go on. @param now POSIX seconds */
export function callerUnder(
  { tokenId, oauth }: Mandate,
  callers: Pick<Callers, 'local' | 'oauth'>,
  now: number,
): Caller | undefined {
  if (tokenId !== undefined) return callers.local?.callerOfId(tokenId)?.caller;
  if (oauth === undefined || now >= oauth.until) return undefined;
  return callers.oauth?.trusts(oauth.issuer) === true ? oauth.caller : undefined;
}
