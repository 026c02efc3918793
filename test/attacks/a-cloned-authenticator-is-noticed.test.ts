/**
 * Claim: An authenticator whose counter goes back is refused; one that keeps none is not (WebAuthn L3 section 7.2,
 * signCount).
 * Enforced by: vault/checks/check-counter.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { judge } from '../support/ceremony-attack.js';
import { CeremonyClient } from '../support/direct-enrolment.js';
import { createSoftwareAuthenticator } from '../support/software-authenticator.js';

attack(
  'a counter that stays or goes back is a copied key; one that is always 0 is none',
  async ({ world, authenticator }) => {
    const { origin } = world.stack;
    const counting = createSoftwareAuthenticator({ rpId: 'localhost', origin, counts: true });
    await new CeremonyClient(world.stack).enrol(world.caller.subject, (o) => counting.create(o));
    const at = async (counter?: number) =>
      (
        await judge(world, (bytes) =>
          counting.sign(bytes, counter === undefined ? {} : { counter }),
        )
      ).vault;
    expect(await at(7)).toMatchObject({ status: 200 });
    for (const counter of [7, 6, 0]) {
      expect(await at(counter)).toMatchObject({ code: 'AuthenticatorCloned', layer: 'vault' });
    }
    expect(await at(8)).toMatchObject({ status: 200 });
    for (let i = 0; i < 2; i++) {
      const { vault } = await judge(world, (bytes) => authenticator.sign(bytes));
      expect(vault).toMatchObject({ status: 200 });
    }
  },
);
