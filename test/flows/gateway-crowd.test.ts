/** Many clients at once, each with a stream of its own open: nobody waits for anybody. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EverythingServer, startEverything } from '../conformance/everything-server.js';
import { Workshop, startGateway } from '../support/gateway-stack.js';
import { LegacyClient } from '../support/mcp-clients.js';
import type { TestStack } from '../support/test-stack.js';

const CLIENTS = 100;
const workshop = new Workshop();
let upstream: EverythingServer;
let stack: TestStack;

beforeAll(async () => {
  upstream = await startEverything(['legacy', 'modern']);
  const everything = { url: upstream.url, prefix: '', max_lanes: 2 * CLIENTS };
  stack = await startGateway(
    workshop.config({ everything: { ...everything, tools: { '*': 'open' }, resources: 'open' } }),
  );
});
afterAll(async () => {
  await stack.stop();
  await upstream.close();
  workshop.remove();
});

it(`${CLIENTS} clients that listen can all call`, async () => {
  const token = await stack.token('alice@example.com');
  const clients: LegacyClient[] = [];
  for (let n = 0; n < CLIENTS; n += 1) clients.push(await LegacyClient.http(stack, token));
  // Each of them has its own connections to the upstream once it has called.
  for (const round of [1, 2]) {
    const answers = await Promise.all(clients.map((client) => client.call('test_simple_text')));
    const texts = answers.map(({ result }) => JSON.stringify(result?.content));
    expect(
      texts.filter((text) => text.includes('simple text')),
      `round ${round}`,
    ).toHaveLength(CLIENTS);
  }
  await Promise.all(clients.map((client) => client.close()));
});
