/** One falsified registration at the vault, whose invitation and challenge are good. */
import { randomUUID } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { expect } from 'vitest';
import { type AttackWorld, refusal } from './attack-world.js';
import { CeremonyClient, inviteOf } from './direct-enrolment.js';
import {
  type SoftwareAuthenticator,
  createSoftwareAuthenticator,
} from './software-authenticator.js';
import { keysOf } from './vault-directory.js';

export type FalseRegistration = (
  authenticator: SoftwareAuthenticator,
  options: PublicKeyCredentialCreationOptionsJSON,
) => RegistrationResponseJSON;

/** The honest registration enrols a key; each falsified one is refused and enrols none. */
export async function expectNotEnrolled(
  world: AttackWorld,
  falsified: Readonly<Record<string, FalseRegistration>>,
  expected = { status: 400, code: 'CeremonyFailed', layer: 'vault' },
): Promise<void> {
  const honest = await register(world, (authenticator, options) => authenticator.create(options));
  expect(honest).toMatchObject({ answer: { status: 200 }, keys: 1 });
  for (const [name, falsify] of Object.entries(falsified)) {
    expect.soft(await register(world, falsify), name).toEqual({ answer: expected, keys: 0 });
  }
}

async function register(world: AttackWorld, make: FalseRegistration) {
  const { stack } = world;
  const approver = `${randomUUID()}@example.com`;
  const vault = new CeremonyClient(stack);
  const begun = await vault.begin(await inviteOf(stack, approver));
  const authenticator = createSoftwareAuthenticator({ rpId: 'localhost', origin: stack.origin });
  const answer = refusal(await vault.finish(begun, make(authenticator, begun.options)));
  return { answer, keys: (await keysOf(stack, approver)).length };
}
