/**
 * Claim: A command that needs no consent still needs the bridge’s key and the caller’s scope, and an approval shown to it is never ignored.
 * Enforced by: rs/checks/check-approval-present.ts, rs/checks/check-scopes.ts, rs/client-authentication.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';

attack(
  'open commands are open to the bridge’s callers only, and a false credential beside one is refused',
  async ({ world }) => {
    const { stack, caller } = world;
    const { resource } = stack.configs.rs;
    const json = { command: 'create_task', args: { title: 'open' }, caller };
    const anonymous = await call(`${resource}/v1/execute`, { method: 'POST', json });
    expect(refusal(anonymous)).toEqual({ status: 401, code: 'Unauthenticated', layer: 'rs' });
    const unscoped = await world.bridge.execute({ ...json, caller: { ...caller, scopes: [] } });
    expect(refusal(unscoped)).toEqual({ status: 403, code: 'Unauthorized', layer: 'rs' });
    const { signed } = await world.signedDeletion();
    const half = await world.bridge.execute({ ...json, credential: 'x.y.z' });
    expect(refusal(half)).toEqual({ status: 403, code: 'ApprovalRequired', layer: 'rs' });
    const beside = await world.bridge.execute({ ...json, credential: 'x.y.z', signed });
    expect(refusal(beside)).toEqual({ status: 400, code: 'MalformedCredential', layer: 'rs' });
    expect((await world.bridge.execute(json)).status).toBe(200);
  },
);
