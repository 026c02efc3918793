import { FlattenedSign, flattenedVerify } from 'jose';
import { canonicalJson } from '../../contract/canonical.js';
import { Refusal } from '../../contract/errors.js';
import type { JsonObject } from '../../contract/json.js';
import { ALG, type AgentIdentity, type TrustedAgents } from './agent-keys.js';

const utf8 = new TextEncoder();

/** Detached JWS (RFC 7515 appendix F, `header..signature`) over the RFC 8785 text of `members`. */
export async function signDetached(
  members: JsonObject,
  typ: string,
  { key, kid }: AgentIdentity,
): Promise<string> {
  const jws = await new FlattenedSign(utf8.encode(canonicalJson(members, 2, 'bridge')))
    .setProtectedHeader({ alg: ALG, typ, kid })
    .sign(key);
  return `${jws.protected ?? ''}..${jws.signature}`;
}

/**
 * Whether `agent` signed exactly these members. Without it any agent on the way could change what the person is shown.
 * @throws Refusal `UntrustedAgent` when the operator configured no key for it, `HopMismatch` when the signature is not its
 */
export async function checkDetached(
  members: JsonObject,
  typ: string,
  signature: string,
  agent: string,
  trusted: TrustedAgents,
): Promise<void> {
  const key = trusted.keyOf(agent);
  const [header = '', payload = '', tag = '', ...rest] = signature.split('.');
  try {
    if (payload !== '' || rest.length > 0) throw new Error('not detached');
    const bytes = Buffer.from(canonicalJson(members, 2, 'bridge'), 'utf8');
    const verified = await flattenedVerify(
      { protected: header, payload: bytes.toString('base64url'), signature: tag },
      key,
      { algorithms: [ALG] },
    );
    if (verified.protectedHeader?.typ !== typ) throw new Error('another kind of signature');
  } catch {
    throw new Refusal('HopMismatch', 'bridge', { path: 'signature', detail: agent });
  }
}
