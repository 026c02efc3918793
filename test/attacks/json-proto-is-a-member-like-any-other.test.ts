/**
 * Claim: `__proto__`, `constructor` and `toString` in a body are members, and reach no prototype.
 * Enforced by: src/contract/strict-json.ts, src/contract/canonical-writer.ts, rs/checks/check-args-bound.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { type Surface, send, surfaces } from '../support/surfaces.js';

attack(
  'a polluting body changes nothing for anybody, and what was signed with it is what was sent with it',
  async ({ world }) => {
    const smuggled = ({ body }: Surface): string =>
      body('"t-1"').replace(
        '"task_id"',
        '"__proto__":{"scopes":["tasks.write"],"gated":false},"task_id"',
      );
    for (const surface of surfaces(world)) {
      const answer = await send(surface, smuggled(surface));
      // Nobody signed it (vault), it is no argument of the tool (rs and bridge), and the page only keeps it to show it.
      if (surface.layer !== 'consent-ui') expect(answer.status).not.toBe(500);
      else expect(answer.status).toBe(201);
      expect((await send(surface, surface.body('"t-1"'))).status, surface.layer).not.toBe(500);
    }

    const call = await world.approvedDeletion();
    for (const member of ['__proto__', 'constructor', 'toString']) {
      const args = JSON.parse(`{"task_id":"${call.task_id}","${member}":{}}`) as typeof call.args;
      expect(refusal(await world.execute({ ...call, args }))).toMatchObject({
        code: 'CredentialDrift',
        layer: 'rs',
      });
      const command = member;
      expect(refusal(await world.execute({ ...call, command }))).toMatchObject({
        code: 'UnknownTool',
        layer: 'rs',
      });
    }
    expect((await world.execute(call)).status).toBe(200);
  },
);
