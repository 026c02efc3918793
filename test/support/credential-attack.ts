/** One false credential before the resource server, beside a human signature that is good. */
import { expect } from 'vitest';
import type { SignedPayload } from '../../src/contract/payload.js';
import { type AttackWorld, refusal } from './attack-world.js';
import { type MintKey, claimsFor, mintAnything, mintKeyOf } from './taken-over-vault.js';

export interface Forge {
  /** The vault's own mint key: what is refused is refused for what it says. */
  readonly key: MintKey;
  /** The claims an honest vault would mint. */
  readonly claims: Record<string, unknown>;
  readonly signed: SignedPayload;
}

/** The honest credential executes; each forged one is refused with `code`, executes nothing and spends nothing. */
export async function expectCredentialRefused(
  world: AttackWorld,
  code: string,
  forgeries: Readonly<Record<string, (forge: Forge) => string>>,
): Promise<void> {
  const key = mintKeyOf(world.stack);
  for (const [name, forge] of Object.entries(forgeries)) {
    const { task_id, signed } = await world.signedDeletion();
    const claims = claimsFor(world.stack, signed);
    const call = { command: 'delete_task', args: { task_id }, caller: world.caller, signed };
    const credential = forge({ key, claims, signed });
    const answer = refusal(await world.bridge.execute({ ...call, credential }));
    expect.soft(answer, name).toMatchObject({ code, layer: 'rs' });
    expect.soft(world.exists(task_id), name).toBe(true);
    const honest = await world.bridge.execute({ ...call, credential: mintAnything(key, claims) });
    expect.soft(honest.status, `${name}, honestly`).toBe(200);
  }
}

/** A credential whose claims are the honest ones with `changes` over them; undefined takes one away. */
export function withClaims(
  changes: Record<string, unknown> | ((claims: Record<string, unknown>) => Record<string, unknown>),
): (forge: Forge) => string {
  return ({ key, claims }) =>
    mintAnything(key, {
      ...claims,
      ...(typeof changes === 'function' ? changes(claims) : changes),
    });
}
