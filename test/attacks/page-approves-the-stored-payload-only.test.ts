/**
 * Claim: The page takes a signature and nothing else: what is approved is what it stored and showed.
 * Enforced by: consent-ui/server/consents.ts, consent-ui/server/consent-routes.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack(
  'a payload in the body is refused, and a signature over another is too',
  async ({ world, visitor }) => {
    const { payload, path, signature } = await world.proposedDeletion();
    const evil = { ...payload, args: { task_id: await world.newTask() } };
    const overEvil = world.signDirectly(evil).signature;
    for (const json of [
      { signature, payload: evil },
      { payload: evil, signature: overEvil },
      { signature: { ...signature, payload: evil } },
      {},
    ]) {
      expect(refusal(await visitor.post(`${path}/approve`, json))).toMatchObject({
        status: 400,
        code: 'MalformedRequest',
      });
    }
    expect(refusal(await visitor.post(`${path}/approve`, { signature: overEvil }))).toEqual({
      status: 403,
      code: 'SignatureMismatch',
      layer: 'vault',
    });
    expect((await visitor.get(`${path}/status`)).body).toMatchObject({ status: 'pending' });
    expect((await visitor.post(`${path}/approve`, { signature })).body).toMatchObject({
      status: 'approved',
    });
    expect((await world.bridge.signed(payload.nonce)).payload).toEqual(payload);
  },
);
