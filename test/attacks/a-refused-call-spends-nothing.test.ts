/**
 * Claim: A call that is refused for what it says leaves the approval as good as it was.
 * Enforced by: rs/execute.ts, vault/mint.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';

attack('twenty refusals later the honest call runs, once', async ({ world }) => {
  const call = await world.approvedDeletion();
  const attempts = [
    { ...call, args: {} },
    { ...call, command: 'update_task' },
    { ...call, caller: { ...call.caller, client_id: 'x' } },
    { ...call, caller: { ...call.caller, scopes: [] } },
    { ...call, caller: { ...call.caller, subject: 'x' } },
    { ...call, credential: `${call.credential}x` },
  ];
  const codes = new Set<unknown>();
  for (let i = 0; i < 4; i++) {
    for (const attempt of attempts) codes.add(refusal(await world.execute(attempt)).code);
  }
  expect([...codes].sort()).toEqual([
    'CredentialDrift',
    'MalformedCredential',
    'PolicyDenied',
    'Unauthorized',
    'WrongClient',
  ]);
  expect(world.exists(call.task_id)).toBe(true);
  expect((await world.execute(call)).status).toBe(200);
});
