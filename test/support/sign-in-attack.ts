/** One falsified sign-in at the vault, whose challenge is good. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { expect } from 'vitest';
import { type AttackWorld, refusal } from './attack-world.js';
import { CeremonyClient } from './direct-enrolment.js';
import type { SoftwareAuthenticator } from './software-authenticator.js';

export type FalseSignIn = (
  authenticator: SoftwareAuthenticator,
  challenge: string,
) => AuthenticationResponseJSON;

/** The honest answer signs in; each falsified one does not. */
export async function expectNotSignedIn(
  world: AttackWorld,
  authenticator: SoftwareAuthenticator,
  falsified: Readonly<Record<string, FalseSignIn>>,
  expected = { status: 400, code: 'CeremonyFailed', layer: 'vault' },
): Promise<void> {
  const honest = await signIn(world, (challenge) => authenticator.get({ challenge }));
  expect(honest).toMatchObject({ status: 200 });
  for (const [name, falsify] of Object.entries(falsified)) {
    const answer = await signIn(world, (challenge) => falsify(authenticator, challenge));
    expect.soft(answer, name).toEqual(expected);
  }
}

async function signIn(
  { stack }: AttackWorld,
  respond: (challenge: string) => AuthenticationResponseJSON,
) {
  const vault = new CeremonyClient(stack);
  const { body } = await vault.post('sign-in/options', {});
  const { challenge_id, options } = body as {
    challenge_id: string;
    options: { challenge: string };
  };
  const response = respond(options.challenge);
  return refusal(await vault.post('sign-in/finish', { challenge_id, response }));
}
