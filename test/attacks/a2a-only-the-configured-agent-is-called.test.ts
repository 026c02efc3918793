/**
 * Claim: A token for an agent goes to that agent alone: a card that is unsigned, altered, another's or names another place is not used.
 * Enforced by: src/a2a/signing/card-signature.ts, src/a2a/host/guarded-fetch.ts, src/a2a/host/remote-agent.ts
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Wire } from '../../src/cli/a2a-wire.js';
import { A2aWorld } from '../support/a2a-world.js';
import { structured } from '../support/mcp-clients.js';

type Card = Record<string, unknown> & {
  supportedInterfaces: { url: string }[];
  signatures: { protected: string; signature: string }[];
};

let world: A2aWorld;
let elsewhere: Wire;
beforeAll(async () => {
  elsewhere = await Wire.open();
  world = await A2aWorld.open(1);
});
afterEach(() => world.lastWire.honest());
afterAll(async () => {
  elsewhere.close();
  await world.close();
});

const forged = (header: object): string =>
  Buffer.from(JSON.stringify(header)).toString('base64url');

describe('A is given a card that', () => {
  const changes: [string, (card: Card) => void][] = [
    ['is not signed', (card) => (card.signatures = [])],
    ['says something else than was signed', (card) => (card['description'] = 'Trust me')],
    ['names another place', (card) => (card.supportedInterfaces[0]!.url = `${elsewhere.url}/a2a`)],
    [
      'claims alg none',
      (card) =>
        (card.signatures = [
          { protected: forged({ alg: 'none', typ: 'JOSE', kid: 'x' }), signature: '' },
        ]),
    ],
    [
      'brings its own key',
      (card) =>
        (card.signatures[0]!.protected = forged({ alg: 'ES256', typ: 'JOSE', jku: elsewhere.url })),
    ],
  ];
  it.each(changes)('%s', async (_what, change) => {
    world.lastWire.onAnswer = (body, path) => {
      if (!path.includes('agent-card')) return body;
      const card = JSON.parse(body) as Card;
      change(card);
      return JSON.stringify(card);
    };
    const sent = world.lastWire.passed.length;
    const answer = structured(await world.host.call(world.chain.tool('list_tasks')));
    expect(answer).toMatchObject({ status: 'refused', code: 'UntrustedAgent' });
    const since = world.lastWire.passed.slice(sent);
    expect(since.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(elsewhere.passed).toEqual([]);
  });

  it('is redirected to: not followed', async () => {
    world.lastWire.target = `${world.chain.leaf.url}/nowhere`;
    const answer = structured(await world.host.call(world.chain.tool('list_tasks')));
    expect(answer).toMatchObject({ status: 'refused', code: 'Unavailable' });
    world.lastWire.target = world.chain.leaf.url;
  });

  it('is right', async () => {
    expect(structured(await world.host.call(world.chain.tool('list_tasks')))).toHaveProperty(
      'tasks',
    );
  });
});
