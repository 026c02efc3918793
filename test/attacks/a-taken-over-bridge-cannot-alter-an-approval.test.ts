/**
 * Claim: The bridge passes an approval on and can change nothing in it: not the target, the client, the deadline or the sentence.
 * Enforced by: vault/checks/check-signature.ts, rs/checks/check-signed-bytes.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'every member of a signed payload is covered, at vault and resource server',
  async ({ world }) => {
    const call = await world.approvedDeletion();
    const { signed } = await world.signedDeletion();
    const other = await world.newTask();
    const changes = {
      cmd: 'update_task',
      args: { task_id: other },
      exp: signed.payload.exp + 60,
      approver_id: 'mallory@example.com',
      binding_message: 'Nothing to see',
      client_id: 'another-agent',
      nonce: 'another',
    };
    for (const [member, value] of Object.entries(changes)) {
      const minted = await world.bridge.mint({
        ...signed,
        payload: { ...signed.payload, [member]: value },
      });
      expect.soft(minted.body, member).toMatchObject({
        layer: 'vault',
        code: member === 'approver_id' ? 'UnknownApprover' : 'SignatureMismatch',
      });
      const atRs = { ...call.signed, payload: { ...call.signed.payload, [member]: value } };
      // What the resource server knows itself it does not take from there: only sentence and consent id are read.
      if (member === 'binding_message' || member === 'nonce') {
        expect
          .soft(refusal(await world.execute({ ...call, signed: atRs })), member)
          .toMatchObject({ code: 'SignatureMismatch', layer: 'rs' });
      }
    }
    expect(refusal(await world.execute({ ...call, args: { task_id: other } }))).toMatchObject({
      code: 'CredentialDrift',
    });
    expect(world.exists(other)).toBe(true);
    expect((await world.bridge.mint(signed)).status).toBe(200);
    expect((await world.execute(call)).status).toBe(200);
  },
);
