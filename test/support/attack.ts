/** `attack('…', async ({ world }) => …)`: a test with a person, an agent and a taken-over bridge of its file's own. */
import { test } from 'vitest';
import { AttackWorld } from './attack-world.js';
import { CeremonyClient } from './direct-enrolment.js';
import { PageVisitor } from './page-visitor.js';
import {
  type SoftwareAuthenticator,
  createSoftwareAuthenticator,
} from './software-authenticator.js';

interface Parts {
  readonly world: AttackWorld;
  /** A second passkey of the same person, whose every answer can be falsified. */
  readonly authenticator: SoftwareAuthenticator;
  /** The person, signed in at the consent page. */
  readonly visitor: PageVisitor;
}

export const attack = test.extend<Parts>({
  world: [
    async ({}, use) => {
      const world = await AttackWorld.open();
      await use(world);
      await world.close();
    },
    { scope: 'file' },
  ],
  authenticator: [
    async ({ world }, use) => {
      const { origin } = world.stack;
      const authenticator = createSoftwareAuthenticator({ rpId: 'localhost', origin });
      const vault = new CeremonyClient(world.stack);
      await vault.enrol(world.caller.subject, (options) => authenticator.create(options));
      await use(authenticator);
    },
    { scope: 'file' },
  ],
  visitor: [
    async ({ world }, use) => {
      await use(await PageVisitor.signedIn(world.stack, world.person.passkey));
    },
    { scope: 'file' },
  ],
});
