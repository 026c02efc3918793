/**
 * Claim: An agent’s access token for one hop is worth nothing at any other, and speaks for nobody its receiver does not let it speak for.
 * Enforced by: src/oauth/access-token.ts, src/oauth/client-credentials.ts, src/a2a/agent/mandate.ts, src/a2a/signing/hop-link.ts
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from 'undici';
import { agentIdentity } from '../../src/a2a/signing/agent-keys.js';
import { makeLink } from '../../src/a2a/signing/hop-link.js';
import { canonicalJson } from '../../src/contract/canonical.js';
import { A2aClient, outcomeOfTask } from '../support/a2a-client.js';
import { INITIALIZE, rpc } from '../support/mcp-attack.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { type OauthChain, SUBJECT, oauthChain, tokensOf } from '../support/oauth-chain.js';

let chain: OauthChain;
let tokens: string[];
beforeAll(async () => {
  chain = await oauthChain(2);
}, 90_000);
afterAll(() => chain.close());

it('each agent takes the token of its own hop and no other', async () => {
  const { world } = chain;
  const task_id = await world.newTask();
  const asked = elicitationOf(await world.host.call(world.tool, { task_id }));
  await world.person.approve(asked.url);
  await expect
    .poll(async () => structured(await world.host.call(world.tool, { task_id })))
    .toEqual({ deleted: task_id });
  tokens = tokensOf(world).map(([token]) => token!);
  const { agents } = world.chain;
  for (const [n, { url }] of agents.entries())
    for (const [m, token] of tokens.entries()) {
      const own = n === m + 1;
      const mcp = await rpc({ mcpUrl: `${url}/mcp` } as never, token, INITIALIZE);
      expect(mcp.status, `token ${m} at agent ${n}`).toBe(own ? 200 : 401);
      if (!own) expect(mcp.body).toMatchObject({ code: 'Unauthenticated', layer: 'bridge' });
      if (n === 0) continue;
      const { statusCode, body } = await request(`${url}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} }),
      });
      await body.dump();
      expect(statusCode, `token ${m} at agent ${n}`).toBe(own ? 200 : 401);
    }
});

it('a taken-over agent asks for nobody but whom its receiver allows', async () => {
  const { world } = chain;
  const [, relay, leaf] = world.chain.agents;
  const client = await A2aClient.with(leaf!.url, tokens[1]!);
  const identity = await agentIdentity(relay!.id, relay!.key);
  const args = { task_id: 't-1' };
  const call = async (subject: string | undefined): Promise<Record<string, unknown>> => {
    const passed = { tool: 'get_task', canonicalArgs: canonicalJson(args, 2, 'bridge') };
    const now = Math.floor(Date.now() / 1000);
    const hops = [{ agent: 'somebody' }];
    const link = await makeLink(identity, leaf!.id, passed, hops, now, subject);
    return outcomeOfTask(await client.call('get_task', args, { chain: [link] }));
  };
  expect(await call(SUBJECT)).not.toMatchObject({ code: 'Forbidden' });
  for (const subject of ['bob@example.com', 'agent-a', `${SUBJECT} `])
    expect(await call(subject)).toMatchObject({
      ...{ status: 'refused', code: 'Forbidden', layer: 'bridge' },
    });
});
