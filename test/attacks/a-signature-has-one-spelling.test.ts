/**
 * Claim: A signature whose base64url is written in another way than its one is no signature, at every service.
 * Enforced by: src/contract/payload.ts, rs/jws.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import type { WebauthnSignature } from '../../src/contract/payload.js';
import { claimsFor, mintAnything, mintKeyOf } from '../support/taken-over-vault.js';

attack(
  'unused bits, padding and the other alphabet are refused before anything is verified',
  async ({ world }) => {
    const { task_id, signed } = await world.signedDeletion();
    const { signature } = signed as { signature: WebauthnSignature };
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const unusedBits = (text: string): string =>
      text.length % 4 === 0
        ? `${text}A`
        : text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.slice(-1)) + 1);
    const respelt: Partial<WebauthnSignature>[] = [
      { signature: unusedBits(signature.signature) },
      { authenticator_data: unusedBits(signature.authenticator_data) },
      { client_data_json: unusedBits(signature.client_data_json) },
      { client_data_json: `${signature.client_data_json}=` },
      {
        authenticator_data: signature.authenticator_data
          .replaceAll('-', '+')
          .replaceAll('_', '/')
          .replace(/^./, '+'),
      },
      { key_id: unusedBits(signature.key_id) },
    ];
    const credential = mintAnything(mintKeyOf(world.stack), claimsFor(world.stack, signed));
    for (const change of respelt) {
      const again = { ...signed, signature: { ...signature, ...change } };
      const name = JSON.stringify(change).slice(0, 40);
      expect
        .soft((await world.bridge.mint(again)).body, name)
        .toMatchObject({ code: 'MalformedPayload', layer: 'vault' });
      const call = {
        command: 'delete_task',
        args: { task_id },
        caller: world.caller,
        signed: again,
        credential,
      };
      expect
        .soft(refusal(await world.bridge.execute(call)), name)
        .toMatchObject({ code: 'MalformedRequest', layer: 'rs' });
    }
    expect((await world.bridge.mint(signed)).status).toBe(200);
  },
);
