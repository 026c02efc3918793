/**
 * Claim: A resource server that is shown a credential cannot use it at another: WrongAudience, whatever the vault mints for both.
 * Enforced by: rs/checks/check-audience.ts, vault/checks/check-audience.ts
 */
import { expect, onTestFinished } from 'vitest';
import { call } from '../../src/cli/http.js';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { SECOND_RESOURCE, startSecondResourceServer } from '../support/second-resource-server.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchange } from '../support/token-exchange.js';

attack(
  'the second server runs what was signed for it, the first refuses it, and the other way round',
  async ({ world }) => {
    const { stack, caller } = world;
    const second = await startSecondResourceServer(stack);
    onTestFinished(() => second.stop());
    const bridge = new ServiceIdentity(stack, 'bridge');
    const at = (url: string, aud: string, json: object) =>
      call(`${url}/v1/execute`, { method: 'POST', headers: bridge.bearer(aud), json });
    const task_id = await world.newTask();
    const command = 'delete_task';
    const args = { task_id };
    const signed = world.signDirectly({
      ...world.bridge.payload(caller, command, args),
      aud: SECOND_RESOURCE,
    });
    const { access_token: credential } = (await exchange(stack, signed)).body as {
      access_token: string;
    };
    const forSecond = { command, args, caller, signed, credential };
    const { resource } = stack.configs.rs;
    expect(refusal(await at(resource, resource, forSecond))).toEqual({
      status: 403,
      code: 'WrongAudience',
      layer: 'rs',
    });
    expect(world.exists(task_id)).toBe(true);
    // It ran there: the second server has no such task, which is its tool's own answer.
    expect((await at(second.url, SECOND_RESOURCE, forSecond)).body).toMatchObject({
      status: 'failure',
    });

    const { task_id: own, ...honest } = await world.approvedDeletion();
    expect(refusal(await at(second.url, SECOND_RESOURCE, honest))).toMatchObject({
      code: 'WrongAudience',
    });
    expect(world.exists(own)).toBe(true);
    expect((await world.execute(honest)).status).toBe(200);
  },
);
