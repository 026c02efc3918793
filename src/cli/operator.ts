/** The operator commands the CLI itself builds on, with their answers checked. */
import * as z from 'zod';
import { askDomain } from './domain-command.js';
import { readConfig } from './data-directory.js';

const issuedToken = z.looseObject({ token: z.string(), token_id: z.string() });
const invitation = z.looseObject({ invite: z.string(), expires_at: z.number() });

export interface TokenRequest {
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly ttlSeconds: number;
}

export async function issueToken(
  data: string,
  { subject, clientId, scopes, ttlSeconds }: TokenRequest,
): Promise<{ token: string; tokenId: string }> {
  const caller = ['--subject', subject, '--client', clientId, '--scopes', scopes.join(',')];
  const args = ['token', 'issue', ...caller, '--ttl', String(ttlSeconds)];
  const { token, token_id } = issuedToken.parse(await askDomain(data, 'bridge', args));
  return { token, tokenId: token_id };
}

export interface Invitation {
  /** The invite is in the fragment, which a browser never sends to any server. */
  readonly link: string;
  /** POSIX seconds. */
  readonly expiresAt: number;
}

export async function inviteApprover(
  data: string,
  approver: string,
  ttlSeconds?: number,
): Promise<Invitation> {
  const ttl = ttlSeconds === undefined ? [] : ['--ttl', String(ttlSeconds)];
  const answer = await askDomain(data, 'vault', ['invite', '--approver', approver, ...ttl]);
  const { invite, expires_at } = invitation.parse(answer);
  const { origin } = readConfig(data, 'consent-ui');
  return { link: `${origin}/enrol#invite=${invite}`, expiresAt: expires_at };
}
