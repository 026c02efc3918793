/**
 * Claim: An assertion over another challenge signs nobody in (WebAuthn L3 section 7.2, challenge).
 * Enforced by: vault/sign-in.ts
 */
import { attack } from '../support/attack.js';
import { expectNotSignedIn } from '../support/sign-in-attack.js';
import { createHash } from 'node:crypto';
import { canonicalBytes } from '../../src/contract/canonical.js';

const digest = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url');

attack(
  'the vault refuses another challenge, and an approval’s above all',
  async ({ world, authenticator }) => {
    const payload = world.bridge.payload(world.caller, 'delete_task', { task_id: 't-1' });
    const approved = canonicalBytes(payload, 'client');
    await expectNotSignedIn(world, authenticator, {
      another: (key) => key.get({ challenge: 'AAAA' }),
      'an approval': (key) => key.get({ challenge: digest(approved) }),
    });
  },
);
