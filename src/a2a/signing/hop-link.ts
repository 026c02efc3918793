import { createHash } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import * as z from 'zod';
import { Refusal } from '../../contract/errors.js';
import { posixSeconds } from '../../contract/payload.js';
import type { Hop } from '../../dispatcher/proposal.js';
import { MAX_HOPS, agentId } from '../extension.js';
import { ALG, type AgentIdentity, type TrustedAgents } from './agent-keys.js';

const TYP = 'consent-bridge-hop+jwt';
/** A statement is made when the call is passed on and read at once; this allows for clocks that differ. Seconds. */
const LIFETIME_S = 60;
const SKEW_S = 30;

/** "I, `iss`, pass on to `aud` the call of `tool` with these arguments, as I had it from whoever signed `prev`." */
const claims = z.strictObject({
  iss: agentId,
  aud: agentId,
  /** The tool by the receiver's name for it. */
  tool: z.string().min(1),
  /** Base64url SHA-256 of the RFC 8785 text of the arguments. */
  args: z.string().length(43),
  /** Base64url SHA-256 of the statement before; absent in the first. */
  prev: z.string().length(43).optional(),
  /** In the first: the client that asked `iss`, which makes no statements of its own. */
  client: z.string().min(1).max(256).optional(),
  /** For whom `iss` acts. Every statement after one that says it says the same. */
  subject: z.string().min(1).max(256).optional(),
  iat: posixSeconds,
  exp: posixSeconds,
});
type Claims = z.infer<typeof claims>;

/** What a statement is about. */
export interface PassedCall {
  readonly tool: string;
  readonly canonicalArgs: string;
}

/** The agents' statements among the hops of a chain. */
export function linksOf(chain: readonly Hop[]): readonly string[] {
  return chain.flatMap(({ link }) => (link === undefined ? [] : [link]));
}

/** @param chain how the call came here. @param now POSIX seconds. @param subject for whom. Returns a compact JWS */
export async function makeLink(
  { id, key, kid }: AgentIdentity,
  receiver: string,
  { tool, canonicalArgs }: PassedCall,
  chain: readonly Hop[],
  now: number,
  subject?: string,
): Promise<string> {
  const before = linksOf(chain).at(-1);
  const client = before === undefined ? chain[0]?.agent : undefined;
  const statement: Claims = {
    iss: id,
    aud: receiver,
    tool,
    args: sha256(canonicalArgs),
    ...(before === undefined ? {} : { prev: sha256(before) }),
    ...(client === undefined ? {} : { client }),
    ...(subject === undefined ? {} : { subject }),
    iat: now,
    exp: now + LIFETIME_S,
  };
  return new CompactSign(Buffer.from(JSON.stringify(statement), 'utf8'))
    .setProtectedHeader({ alg: ALG, typ: TYP, kid })
    .sign(key);
}

export interface Receiver {
  readonly id: string;
  /** Who really presented the call, by its token. */
  readonly sender: string;
  readonly trusted: TrustedAgents;
  /** POSIX seconds. */
  readonly now: number;
}

/**
 * The agents a call came through, the first one first, each held to its own words: an agent on the way can neither change
 * the arguments or the tool, nor leave out or invent an agent before it. A sender that makes no statements is a chain of
 * one, known by its token alone.
 * @throws Refusal `UntrustedAgent`, `HopMismatch` (layer `bridge`, with the place in the chain)
 */
export async function checkChain(
  links: readonly string[],
  call: PassedCall,
  { id, sender, trusted, now }: Receiver,
): Promise<readonly Hop[]> {
  if (links.length === 0) return [{ agent: sender }];
  if (links.length > MAX_HOPS) throw mismatch(MAX_HOPS);
  const chain: Claims[] = [];
  for (const [place, link] of links.entries()) {
    const said = await read(link, place, trusted);
    const before = chain.at(-1);
    const follows =
      before === undefined
        ? said.prev === undefined
        : before.aud === said.iss &&
          before.tool.endsWith(`.${said.tool}`) &&
          said.prev === sha256(links[place - 1] ?? '') &&
          said.client === undefined &&
          (before.subject === undefined || said.subject === before.subject);
    const timely =
      said.iat <= now + SKEW_S && now < said.exp + SKEW_S && said.exp - said.iat <= LIFETIME_S;
    if (!follows || !timely || said.args !== sha256(call.canonicalArgs)) throw mismatch(place);
    chain.push(said);
  }
  const last = chain.at(-1);
  if (last?.iss !== sender || last.aud !== id || last.tool !== call.tool)
    throw mismatch(links.length - 1);
  const client = chain[0]?.client;
  return [
    ...(client === undefined ? [] : [{ agent: client }]),
    ...chain.map(({ iss }, place) => ({ agent: iss, link: links[place] ?? '' })),
  ];
}

/** For whom the last agent says it acts, in statements that {@link checkChain} accepted. */
export function statedSubject(links: readonly string[]): string | undefined {
  const last = links.at(-1);
  return last === undefined ? undefined : claims.parse(claimsOf(last)).subject;
}

/** Base64url SHA-256 by which a statement is named. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url');
}

async function read(link: string, place: number, trusted: TrustedAgents): Promise<Claims> {
  const said = claims.safeParse(claimsOf(link));
  if (!said.success) throw mismatch(place);
  try {
    const { protectedHeader } = await compactVerify(link, trusted.keyOf(said.data.iss), {
      algorithms: [ALG],
    });
    if (protectedHeader.typ !== TYP) throw mismatch(place);
  } catch (error) {
    throw error instanceof Refusal ? error : mismatch(place);
  }
  return said.data;
}

/** What the statement says, to learn whose key to check it with. Believed only once the signature holds. */
function claimsOf(link: string): unknown {
  try {
    return JSON.parse(Buffer.from(link.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

function mismatch(place: number): Refusal {
  return new Refusal('HopMismatch', 'bridge', { path: `chain[${place}]` });
}
