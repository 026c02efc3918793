import { type CryptoKey, type JWK, calculateJwkThumbprint, importJWK } from 'jose';
import { Refusal } from '../../contract/errors.js';

/** JOSE algorithm of everything agents sign. Pinned: no header chooses it. */
export const ALG = 'ES256';

/** This agent's own identity: its id and the key with which it signs its card, its statements and its asks. */
export interface AgentIdentity {
  readonly id: string;
  readonly key: CryptoKey;
  /** RFC 7638 thumbprint. */
  readonly kid: string;
}

/** @param privateJwk EC P-256 private JWK */
export async function agentIdentity(id: string, privateJwk: JWK): Promise<AgentIdentity> {
  return { id, key: await p256(privateJwk), kid: await calculateJwkThumbprint(privateJwk) };
}

/**
 * Public keys of other agents, by agent id, as the operator configured them. The only keys that count: none is ever taken
 * from a message, a card or a header.
 */
export class TrustedAgents {
  private constructor(private readonly keys: ReadonlyMap<string, CryptoKey>) {}

  /** @param jwks EC P-256 public JWKs by agent id */
  static async load(jwks: Readonly<Record<string, JWK>>): Promise<TrustedAgents> {
    const entries = Object.entries(jwks).map(async ([id, jwk]): Promise<[string, CryptoKey]> => [
      id,
      await p256(jwk),
    ]);
    return new TrustedAgents(new Map(await Promise.all(entries)));
  }

  /** @throws Refusal `UntrustedAgent` (layer `bridge`) */
  keyOf(agent: string): CryptoKey {
    const key = this.keys.get(agent);
    if (key === undefined) throw new Refusal('UntrustedAgent', 'bridge', { detail: agent });
    return key;
  }
}

async function p256(jwk: JWK): Promise<CryptoKey> {
  if (jwk.kty !== 'EC' || jwk.crv !== 'P-256') throw new Error('agent keys are EC P-256 JWKs');
  const key = await importJWK(jwk, ALG);
  if (key instanceof Uint8Array) throw new Error('agent keys are EC P-256 JWKs');
  return key;
}
