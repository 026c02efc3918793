/**
 * Claim: A credential authenticates no client, an agent’s token no person, an approver’s assertion no service.
 * Enforced by: vault/jws.ts, rs/client-authentication.ts, consent-ui/server/clients.ts, consent-ui/server/approver.ts
 */
import { expect } from 'vitest';
import { call } from '../../src/cli/http.js';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { ServiceIdentity } from '../support/service-identity.js';

attack('each token is refused wherever it is not meant for', async ({ world }) => {
  const { stack, caller } = world;
  const { vault, rs } = stack.configs;
  const honest = await world.approvedDeletion();
  const bridge = new ServiceIdentity(stack, 'bridge');
  const tokens = {
    credential: honest.credential,
    'agent token': tokenFor(stack, caller),
    'approver assertion': bridge.assertion(stack.origin, {
      header: { typ: 'approver-authentication+jwt' },
    }),
    'service assertion': bridge.assertion('http://another.example'),
  };
  const doors = {
    vault: `${vault.issuer}/v1/approvers/x/keys`,
    rs: `${rs.resource}/v1/surface`,
    'consent-ui': `${stack.origin}/v1/consents/${'x'.repeat(43)}`,
    person: `${stack.origin}/`,
    bridge: stack.mcpUrl,
  };
  for (const [kind, token] of Object.entries(tokens)) {
    for (const [door, url] of Object.entries(doors)) {
      if (kind === 'agent token' && door === 'bridge') continue;
      const answer = await call(url, { headers: { authorization: `Bearer ${token}` } });
      expect
        .soft(answer, `${kind} at ${door}`)
        .toMatchObject({ status: 401, body: { code: 'Unauthenticated' } });
    }
  }
  expect((await world.execute(honest)).status).toBe(200);
});
