/**
 * Claim: The credential id enrolled is the authenticator’s, once and at most 1023 octets long (WebAuthn L3 section 7.1, credentialId).
 * Enforced by: vault/enrolment.ts, vault/ceremony-shapes.ts
 */
import { attack } from '../support/attack.js';
import { expectNotEnrolled } from '../support/enrolment-attack.js';
import { randomBytes } from 'node:crypto';

attack('the vault refuses ids that differ or are too long', async ({ world }) => {
  await expectNotEnrolled(world, {
    'another id': (key, options) => ({ ...key.create(options), id: 'AAAA' }),
    'another id, twice': (key, options) => ({ ...key.create(options), id: 'AAAA', rawId: 'AAAA' }),
    'another id, too long': (key, options) => ({
      ...key.create(options, { credentialId: randomBytes(1024) }),
      ...{ id: 'AAAA', rawId: 'AAAA' },
    }),
  });
  await expectNotEnrolled(
    world,
    { 'too long': (key, options) => key.create(options, { credentialId: randomBytes(1024) }) },
    { status: 400, code: 'MalformedRequest', layer: 'vault' },
  );
});
