/** Three hops, each with an access token of its own from a real authorization server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import {
  type OauthChain,
  SUBJECT,
  claimsOf,
  oauthChain,
  tokensOf,
} from '../support/oauth-chain.js';

let chain: OauthChain;
beforeAll(async () => {
  chain = await oauthChain(3);
}, 90_000);
afterAll(() => chain.close());

it('each hop sees one token, for its own audience, and the person is still the one who asked', async () => {
  const { world, issuer, resources } = chain;
  const task_id = await world.newTask();
  const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
  await world.person.approve(asked.url);
  await expect
    .poll(async () => structured(await world.host.call(world.tool, { task_id })))
    .toEqual({ deleted: task_id });
  expect(world.exists(task_id)).toBe(false);

  const tokens = tokensOf(world);
  expect(tokens.map(({ length }) => length)).toEqual([1, 1, 1]);
  const claims = tokens.map(([token]) => claimsOf(token!));
  expect(claims.map(({ aud }) => aud)).toEqual(resources.slice(1));
  expect(claims.map(({ client_id }) => client_id)).toEqual(['agent-a', 'agent-b', 'agent-c']);
  expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3);
  const fetched = (await issuer.requests()).filter((line) => line === 'POST /token');
  expect(fetched).toHaveLength(3);

  const raised = await world.stack.events('bridge', 'consent.raised');
  expect(raised.at(-1)).toMatchObject({ subject: SUBJECT, client_id: 'agent-d' });
});

it('the card says where such a token comes from', async () => {
  const { world, issuer } = chain;
  const card = await fetch(`${world.chain.leaf.url}/.well-known/agent-card.json`);
  const said = (await card.json()) as { securitySchemes: Record<string, unknown> };
  expect(said.securitySchemes['oauth-1']).toMatchObject({
    openIdConnectSecurityScheme: {
      openIdConnectUrl: `${issuer.issuer}/.well-known/openid-configuration`,
    },
  });
});

it('a token that an agent takes no more is replaced once, and the call goes on', async () => {
  const { world, issuer } = chain;
  // The leaf alone is told of the new key: its predecessor's token, still good by its time, is refused there.
  await issuer.rotate();
  await world.chain.down(world.chain.leaf);
  await world.chain.up(world.chain.leaf);
  const before = tokensOf(world).at(-1)!;
  await world.newTask();
  const after = tokensOf(world).at(-1)!;
  expect(after).toHaveLength(before.length + 1);
});
