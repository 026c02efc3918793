/**
 * Claim: A subject is a person of one issuer: the same name from another issuer is somebody else, and no issuer reaches into another’s namespace (OpenID Connect Core section 5.7).
 * Enforced by: src/oauth/access-token.ts
 */
import { expect } from 'vitest';
import { elicitationOf, LegacyClient } from '../support/mcp-clients.js';
import { attack } from '../support/attack.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';

attack('the second issuer’s alice is not alice', async ({ world }) => {
  const forge = tokenForge(world);
  const { second, claims } = forge;
  const theirs = (sub: string): string =>
    forge.make({
      ...{ claims: { iss: second.issuer, sub }, key: second.key },
      header: { kid: second.key['kid'] },
    });
  const { stack, caller } = world;
  const call = { task_id: await world.newTask() };
  const mine = await LegacyClient.http(stack, forge.make());
  const other = await LegacyClient.http(stack, theirs(caller.subject));
  elicitationOf(await mine.call('delete_task', call));
  // Nobody is enrolled by that name: the question does not reach the person both names look like.
  elicitationOf(await other.call('delete_task', call));
  const raised = await stack.events('bridge', 'consent.raised');
  const subjects = raised.slice(-2).map(({ subject }) => subject);
  expect(subjects).toEqual([caller.subject, `second:${caller.subject}`]);
  await expectTokensRefused(world, forge, {
    'a subject in the other’s namespace': forge.make({
      claims: { sub: `second:${caller.subject}` },
    }),
    'a client in the other’s namespace': forge.make({
      claims: { client_id: `second:${String(claims['client_id'])}` },
    }),
    'no subject': forge.make({ claims: { sub: '' } }),
    'no client': forge.make({ claims: { client_id: undefined } }),
    'a list of scopes': forge.make({ claims: { scope: ['tasks.write'] } }),
  });
  await Promise.all([mine.close(), other.close()]);
});
