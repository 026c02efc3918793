/**
 * Claim: No agent on the way can change what a person is asked: what the acting agent signed is shown, or nothing is.
 * Enforced by: src/a2a/host/checked-ask.ts, src/a2a/signing/ask-signature.ts, src/a2a/translation/page-url.ts
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ask } from '../../src/a2a/translation/ask.js';
import { A2aWorld } from '../support/a2a-world.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { changing, partsOf } from '../../src/cli/a2a-tampering.js';

let world: A2aWorld;
beforeAll(async () => {
  world = await A2aWorld.open(1);
});
beforeEach(() => world.freshHost());
afterEach(() => world.lastWire.honest());
afterAll(() => world.close());

/** Notes what the leaf really asked before it is changed. */
function tamper(change: (ask: Record<string, unknown>) => void): { asked: Ask[] } {
  const asked: Ask[] = [];
  const changed = changing('ask', change);
  world.lastWire.onAnswer = (body) => {
    asked.push(...(partsOf(body, 'ask') as unknown as Ask[]));
    return changed(body);
  };
  return { asked };
}

const changes: [string, (ask: Record<string, unknown>) => void][] = [
  [
    'the arguments',
    (ask) =>
      (ask['authorization_details'] = String(ask['authorization_details']).replace(
        /t-\d+/,
        't-999',
      )),
  ],
  [
    'one space in the arguments',
    (ask) =>
      (ask['authorization_details'] = String(ask['authorization_details']).replace(':', ': ')),
  ],
  ['the binding message', (ask) => (ask['binding_message'] = 'Water the plants')],
  ['the expiry', (ask) => (ask['exp'] = Number(ask['exp']) + 600)],
  [
    'an agent in the chain',
    (ask) => ((ask['chain'] as { agent: string }[])[0]!.agent = 'somebody'),
  ],
  ['the chain, left out', (ask) => (ask['chain'] = [])],
  ['the agent that acts', (ask) => (ask['agent'] = 'agent-a')],
  ['the approver', (ask) => (ask['approver_id'] = 'mallory@example.com')],
  ['the resource server', (ask) => (ask['resource'] = 'https://rs.evil.example')],
  ['the page', (ask) => (ask['consent_url'] = 'https://evil.example/consents/x')],
  ['the page, to a script', (ask) => (ask['consent_url'] = 'javascript:alert(1)')],
  [
    'the page, to another consent',
    (ask) => (ask['consent_url'] = `${String(ask['consent_url'])}x`),
  ],
  ['the signature, left out', (ask) => (ask['signature'] = 'x')],
];

describe('an agent on the way changes', () => {
  it.each(changes)('%s: nobody is asked, nothing can be signed any more', async (_what, change) => {
    const task_id = await world.newTask();
    const { asked } = tamper(change);
    const answer = structured(await world.host.call(world.tool, { task_id }));
    expect(answer).toMatchObject({ status: 'refused', code: 'HopMismatch', layer: 'bridge' });
    world.lastWire.honest();
    const { consent_url } = asked[0]!;
    expect((await world.person.approve(consent_url)).kind).toBe('refused');
    expect(world.exists(task_id)).toBe(true);
  });

  it('the ask for the one of another call', async () => {
    const first = await world.newTask();
    const { asked } = tamper(() => undefined);
    elicitationOf(await world.host.call(world.tool, { task_id: first }));
    const second = await world.newTask();
    tamper((ask) => Object.assign(ask, asked[0]));
    const answer = structured(await world.host.call(world.tool, { task_id: second }));
    expect(answer).toMatchObject({ code: 'HopMismatch', path: 'chain' });
  });

  it('what was asked honestly, later', async () => {
    const task_id = await world.newTask();
    elicitationOf(await world.host.call(world.tool, { task_id }));
    tamper((ask) => (ask['binding_message'] = 'Water the plants'));
    const answer = structured(await world.host.call(world.tool, { task_id }));
    expect(answer).toMatchObject({ code: 'HopMismatch', path: 'signature' });
    expect(world.exists(task_id)).toBe(true);
  });
});
