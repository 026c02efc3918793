/** OAuth from the outside: real SDK clients, a real authorization server, the four real processes. */
import {
  ClientCredentialsProvider as ModernProvider,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SoftwareApprover } from '../../src/cli/software-approver.js';
import {
  APP,
  AuthorizationServer,
  CLIENTS,
  MACHINE,
  authorizedAt,
  machineToken,
} from '../support/authorization-server.js';
import { CodeFlowProvider } from '../support/code-flow-provider.js';
import { INITIALIZE, rpc } from '../support/mcp-attack.js';
import { URL_MODE } from '../support/mcp-clients.js';
import { TestStack } from '../support/test-stack.js';

const ALICE = 'alice@example.com';
let issuer: AuthorizationServer;
let second: AuthorizationServer;
let stack: TestStack;
let alice: SoftwareApprover;

beforeAll(async () => {
  [issuer, second] = await Promise.all([
    AuthorizationServer.start(CLIENTS),
    AuthorizationServer.start(CLIENTS),
  ]);
  stack = await TestStack.start((configs) => {
    configs.bridge.oauth = {
      resource: `http://127.0.0.1:${configs.bridge.listen.port}/mcp`,
      issuers: [
        { issuer: issuer.issuer },
        { issuer: second.issuer, namespace: 'second:', jwks_uri: `${second.issuer}/jwks` },
      ],
      initial_scopes: ['tasks.read'],
    };
    configs.bridge.policy.delete_task.approver = ALICE;
    configs.vault.policy.commands = { delete_task: [ALICE] };
    configs.rs.policy.commands = { delete_task: [ALICE] };
  });
  alice = await stack.person(ALICE);
}, 60_000);
afterAll(() => Promise.all([stack.stop(), issuer.stop(), second.stop()]));

/** What the SDK shows of a call that is asked about. */
async function link(call: Promise<unknown>): Promise<string> {
  const error = (await call.then(
    (result) => new Error(`no elicitation but ${JSON.stringify(result)}`),
    (thrown: unknown) => thrown,
  )) as { elicitations?: { url: string }[] };
  if (error.elicitations === undefined) throw error as Error;
  return error.elicitations[0]!.url;
}

describe('a client without a token finds its way', () => {
  it('the resource says who may issue tokens, and the 401 where it says so', async () => {
    const { origin } = new URL(stack.mcpUrl);
    const where = `${origin}/.well-known/oauth-protected-resource`;
    for (const url of [where, `${where}/mcp`]) {
      const { statusCode, body } = await request(url);
      expect(statusCode).toBe(200);
      expect(await body.json()).toEqual({
        resource: stack.mcpUrl,
        authorization_servers: [issuer.issuer, second.issuer],
        scopes_supported: ['tasks.read', 'tasks.write'],
        bearer_methods_supported: ['header'],
      });
    }
    const bare = await request(stack.mcpUrl, { method: 'POST' });
    await bare.body.dump();
    expect(bare.statusCode).toBe(401);
    expect(bare.headers['www-authenticate']).toBe(
      `Bearer scope="tasks.read", resource_metadata="${where}/mcp"`,
    );
    const bad = await rpc(stack, 'not.a.token', INITIALIZE);
    expect(bad.status).toBe(401);
    expect(bad.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", /);
  });

  it('SDK v1: client_credentials, then a gated call that a person signs', async () => {
    const provider = new ClientCredentialsProvider({
      clientId: MACHINE.id,
      clientSecret: MACHINE.secret,
      expectedIssuer: issuer.issuer,
      scope: 'tasks.read tasks.write',
    });
    const client = new Client({ name: 'v1', version: '1' }, { capabilities: URL_MODE });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(stack.mcpUrl), { authProvider: provider }),
    );
    const made = await client.callTool({ name: 'create_task', arguments: { title: 'v1' } });
    const { id } = (made.structuredContent as { task: { id: string } }).task;
    const call = { name: 'delete_task', arguments: { task_id: id } };
    await alice.approve(await link(client.callTool(call)));
    expect((await client.callTool(call)).structuredContent).toEqual({ deleted: id });
    expect(stack.taskIds()).not.toContain(id);
    await client.close();
  });

  it('SDK v2: the same on 2026-07-28, and a tool beyond its scopes makes it get more', async () => {
    const provider = new ModernProvider({
      clientId: MACHINE.id,
      clientSecret: MACHINE.secret,
      expectedIssuer: issuer.issuer,
    });
    const client = new ModernClient(
      { name: 'v2', version: '1' },
      {
        capabilities: { elicitation: { url: {} } },
        versionNegotiation: { mode: { pin: '2026-07-28' } },
      },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (!('url' in params)) return { action: 'cancel' };
      await alice.approve(params.url);
      return { action: 'accept' };
    });
    await client.connect(new ModernHttp(new URL(stack.mcpUrl), { authProvider: provider }));
    await client.callTool({ name: 'list_tasks', arguments: {} });
    expect(provider.tokens()?.scope).toBe('tasks.read');

    const before = (await stack.events('bridge', 'scope.refused')).length;
    const made = await client.callTool({ name: 'create_task', arguments: { title: 'v2' } });
    expect(provider.tokens()?.scope).toBe('tasks.read tasks.write');
    expect(await stack.events('bridge', 'scope.refused')).toHaveLength(before + 1);

    const { id } = (made.structuredContent as { task: { id: string } }).task;
    const deleted = await client.callTool({ name: 'delete_task', arguments: { task_id: id } });
    expect(deleted.structuredContent).toEqual({ deleted: id });
    await client.close();
  });
});

describe('a person’s own client', () => {
  it('SDK v1: authorization code with PKCE, step-up on the way, and she approves as the subject', async () => {
    const provider = new CodeFlowProvider(issuer.issuer, APP);
    const connect = async (): Promise<{ client: Client; http: StreamableHTTPClientTransport }> => {
      const http = new StreamableHTTPClientTransport(new URL(stack.mcpUrl), {
        authProvider: provider,
      });
      const client = new Client({ name: 'app', version: '1' }, { capabilities: URL_MODE });
      await client.connect(http).catch(async (error: unknown) => {
        await http.finishAuth(await signIn(provider));
        throw error;
      });
      return { client, http };
    };
    // The first connection ends in the browser, the second has its token.
    await expect(connect()).rejects.toThrow();
    const { client, http } = await connect();
    const read = await client.callTool({ name: 'list_tasks', arguments: {} });
    expect(read.isError).not.toBe(true);
    expect(provider.tokens()?.scope).toBe('tasks.read');

    const create = { name: 'create_task', arguments: { title: 'of the app' } };
    await expect(client.callTool(create)).rejects.toThrow();
    await http.finishAuth(await signIn(provider));
    expect(provider.tokens()?.scope).toBe('tasks.read tasks.write');
    const made = await client.callTool(create);
    const { id } = (made.structuredContent as { task: { id: string } }).task;
    const call = { name: 'delete_task', arguments: { task_id: id } };
    await alice.approve(await link(client.callTool(call)));
    expect((await client.callTool(call)).structuredContent).toEqual({ deleted: id });
    const raised = await stack.events('bridge', 'consent.raised');
    expect(raised.at(-1)).toMatchObject({ subject: ALICE, client_id: APP.id });
    await client.close();
  });
});

async function signIn(provider: CodeFlowProvider): Promise<string> {
  const back = await authorizedAt(provider.sentTo, APP.redirectUri);
  return back.searchParams.get('code') ?? '';
}

describe('keys and issuers come and go', () => {
  it('a key that is published no more is good for nothing once the new one was seen', async () => {
    const old = await machineToken(issuer.issuer, stack.mcpUrl);
    expect((await rpc(stack, old, INITIALIZE)).status).toBe(200);
    await issuer.rotate();
    const fresh = await machineToken(issuer.issuer, stack.mcpUrl);
    expect((await rpc(stack, fresh, INITIALIZE)).status).toBe(200);
    expect((await rpc(stack, old, INITIALIZE)).status).toBe(401);
  });

  it('an issuer that is away takes nobody’s tokens but its own with it', async () => {
    const theirs = await machineToken(second.issuer, stack.mcpUrl);
    await second.stop();
    const refused = await rpc(stack, theirs, INITIALIZE);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'Unavailable', layer: 'bridge' });
    const others = [await machineToken(issuer.issuer, stack.mcpUrl), await stack.token(ALICE)];
    for (const token of others) expect((await rpc(stack, token, INITIALIZE)).status).toBe(200);
  });

  it('local tokens are refused where the operator says so', async () => {
    const local = await stack.token(ALICE);
    await stack.reconfigure('bridge', (configs) => {
      configs.bridge.oauth.local_tokens = false;
    });
    expect((await rpc(stack, local, INITIALIZE)).status).toBe(401);
    const token = await machineToken(issuer.issuer, stack.mcpUrl);
    expect((await rpc(stack, token, INITIALIZE)).status).toBe(200);
  });
});
