/**
 * Claim: Markup in any text an agent chose ends no element and starts none.
 * Enforced by: consent-ui/server/views.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { ServiceIdentity } from '../support/service-identity.js';
attack(
  'markup in arguments, message, names and description stays text',
  async ({ world, visitor }) => {
    const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&<!--`;
    const payload = {
      ...world.bridge.payload(world.caller, 'delete_task', { task_id: evil, [evil]: evil }),
      binding_message: evil,
    };
    const { origin } = world.stack;
    const requested_by = { subject: evil, client_id: payload.client_id, client_name: evil };
    const proposed = await call(`${origin}/v1/consents/${payload.nonce}`, {
      method: 'PUT',
      headers: new ServiceIdentity(world.stack, 'bridge').bearer(origin),
      json: { payload, requested_by, tool: { title: evil, description: evil } },
    });
    expect(proposed.status).toBe(201);
    for (const path of ['/', `/consents/${payload.nonce}`]) {
      const { text } = await visitor.html(path);
      expect(text.match(/<script/g)).toHaveLength(2);
      expect(text).not.toContain('<img src=x');
      expect(text).not.toContain('<!--');
      const island = JSON.parse(/id="island">([^<]*)</.exec(text)?.[1] ?? '') as unknown;
      expect(JSON.stringify(island)).toContain('onerror');
    }
    const { body } = await visitor.get(`/consents/${payload.nonce}`);
    expect(body).toMatchObject({ payload: { args: { task_id: evil }, binding_message: evil } });
  },
);
