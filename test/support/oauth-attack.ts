/** Access tokens for the stack of the attacks, honest and forged, also with what only an issuer holds. */
import type { JsonWebKey } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { generateJwk } from '../../src/cli/jwk.js';
import type { AttackWorld } from './attack-world.js';
import { machineToken } from './authorization-server.js';
import { INITIALIZE, rpc } from './mcp-attack.js';
import { signedJwt } from './service-identity.js';

interface KnownIssuer {
  readonly issuer: string;
  /** Its private signing key. */
  readonly key: JsonWebKey;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The authorization servers the attacked bridge trusts. The second has the namespace `second:`. */
    issuers: { readonly first: KnownIssuer; readonly second: KnownIssuer };
  }
}

export interface TokenForge extends KnownIssuer {
  readonly second: KnownIssuer;
  readonly resource: string;
  /** Nobody's key. */
  readonly mallory: JsonWebKey;
  /** The claims of a token that is taken. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  /** A token like the honest one but for these members; undefined takes one away. */
  make(changed?: { claims?: object; header?: object; key?: JsonWebKey }): string;
}

export function tokenForge(world: AttackWorld): TokenForge {
  const { first, second } = inject('issuers');
  const resource = world.stack.mcpUrl;
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: first.issuer,
    sub: world.caller.subject,
    client_id: world.caller.client_id,
    aud: resource,
    iat,
    exp: iat + 300,
    jti: randomUUID(),
    scope: 'tasks.read tasks.write',
  };
  const header = { alg: 'ES256', typ: 'at+jwt', kid: first.key['kid'] };
  return {
    ...first,
    ...{ second, resource, claims, header },
    mallory: generateJwk('ES256'),
    make: (changed = {}) =>
      signedJwt(
        changed.key ?? first.key,
        { ...header, ...changed.header },
        { ...claims, ...changed.claims },
      ),
  };
}

/** The honest tokens open the endpoint; each of the others is turned away, and all in the same words. */
export async function expectTokensRefused(
  world: AttackWorld,
  forge: TokenForge,
  tokens: Readonly<Record<string, string>>,
): Promise<void> {
  const { stack } = world;
  for (const honest of [forge.make(), await machineToken(forge.issuer, forge.resource)])
    expect((await rpc(stack, honest, INITIALIZE)).status).toBe(200);
  for (const [name, token] of Object.entries(tokens)) {
    const { status, body, headers } = await rpc(stack, token, INITIALIZE);
    expect.soft({ status, ...body }, name).toMatchObject({
      ...{ status: 401, code: 'Unauthenticated', layer: 'bridge' },
    });
    expect.soft(headers['www-authenticate'], name).toContain('error="invalid_token"');
    expect.soft(JSON.stringify(body), name).not.toContain(token);
  }
}
