import { beforeAll, describe, expect, it } from 'vitest';
import type { JWK } from 'jose';
import type { Hop } from '../../../src/dispatcher/proposal.js';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';
import {
  type AgentIdentity,
  TrustedAgents,
  agentIdentity,
} from '../../../src/a2a/signing/agent-keys.js';
import { checkChain, linksOf, makeLink, statedSubject } from '../../../src/a2a/signing/hop-link.js';

const NOW = 1_800_000_000;
const ARGS = '{"task_id":"t-1"}';
const agents: Record<string, AgentIdentity> = {};
let trusted: TrustedAgents;

beforeAll(async () => {
  const jwks: Record<string, JWK> = {};
  for (const id of ['a', 'b', 'c', 'd', 'mallory']) {
    const key = generateJwk('ES256') as JWK;
    agents[id] = await agentIdentity(id, key);
    if (id !== 'mallory') jwks[id] = publicJwk(key);
  }
  trusted = await TrustedAgents.load(jwks);
});

/** What `from` says when it passes a call on to `to`. */
async function passOn(
  from: string,
  to: string,
  tool: string,
  chain: readonly Hop[],
  canonicalArgs = ARGS,
  now = NOW,
): Promise<Hop[]> {
  const link = await makeLink(agents[from]!, to, { tool, canonicalArgs }, chain, now);
  return [...chain, { agent: from, link }];
}

async function honest(): Promise<Hop[]> {
  let chain: Hop[] = [{ agent: 'claude' }];
  chain = await passOn('a', 'b', 'c.d.delete_task', chain);
  chain = await passOn('b', 'c', 'd.delete_task', chain);
  return passOn('c', 'd', 'delete_task', chain);
}

async function seen(
  links: readonly string[],
  given: { tool?: string; canonicalArgs?: string; sender?: string; now?: number } = {},
): Promise<string> {
  const { tool = 'delete_task', canonicalArgs = ARGS, sender = 'c', now = NOW } = given;
  try {
    const chain = await checkChain(
      links,
      { tool, canonicalArgs },
      { id: 'd', sender, trusted, now },
    );
    return chain.map(({ agent }) => agent).join(' → ');
  } catch (error) {
    const { code, path } = error as { code: string; path: string };
    return `${code} ${path}`;
  }
}

describe('a chain of agents', () => {
  it('that all tell the truth is named in order, the first one’s client before them', async () => {
    expect(await seen(linksOf(await honest()))).toBe('claude → a → b → c');
  });

  it('of none is its sender, known by its token', async () => {
    expect(await seen([])).toBe('c');
  });

  it('changed arguments or tool do not fit what was said', async () => {
    const links = linksOf(await honest());
    expect(await seen(links, { canonicalArgs: '{"task_id":"t-2"}' })).toBe('HopMismatch chain[0]');
    expect(await seen(links, { tool: 'create_task' })).toBe('HopMismatch chain[2]');
  });

  it('the last agent cannot change them either by saying so itself', async () => {
    const [, a, b] = await honest();
    const other = await passOn('c', 'd', 'delete_task', [a!, b!], '{"task_id":"t-2"}');
    expect(await seen(linksOf(other), { canonicalArgs: '{"task_id":"t-2"}' })).toBe(
      'HopMismatch chain[0]',
    );
    const tool = await passOn('c', 'd', 'create_task', [a!, b!]);
    expect(await seen(linksOf(tool), { tool: 'create_task' })).toBe('HopMismatch chain[2]');
  });

  it('an agent left out, put in, or put first is found out', async () => {
    const [, a, b, c] = await honest();
    const links = [a, b, c].map((hop) => hop!.link!);
    expect(await seen([links[0]!, links[2]!])).toBe('HopMismatch chain[1]');
    expect(await seen(links.slice(1))).toBe('HopMismatch chain[0]');
    expect(await seen([links[1]!, links[0]!, links[2]!])).toBe('HopMismatch chain[0]');
    // C says that A called it directly, which A did not say.
    expect(await seen(linksOf(await passOn('c', 'd', 'delete_task', [a!])))).toBe(
      'HopMismatch chain[1]',
    );
  });

  it('must end with who really calls, and be for who is called', async () => {
    const [, a, b, c] = await honest();
    expect(await seen(linksOf([a!, b!, c!]), { sender: 'b' })).toBe('HopMismatch chain[2]');
    expect(
      await seen(linksOf(await passOn('b', 'c', 'd.delete_task', [a!])), {
        sender: 'b',
        tool: 'd.delete_task',
      }),
    ).toBe('HopMismatch chain[1]');
  });

  it('an agent nobody configured is not believed, and a name is not a key', async () => {
    const [, a, b] = await honest();
    const mallory = await passOn('mallory', 'd', 'delete_task', []);
    expect(await seen(linksOf(mallory), { sender: 'mallory' })).toBe('UntrustedAgent undefined');
    const link = await makeLink(
      { ...agents['mallory']!, id: 'c' },
      'd',
      { tool: 'delete_task', canonicalArgs: ARGS },
      [a!, b!],
      NOW,
    );
    expect(await seen([a!.link!, b!.link!, link])).toBe('HopMismatch chain[2]');
  });

  it('an old statement says nothing now', async () => {
    expect(await seen(linksOf(await honest()), { now: NOW + 91 })).toBe('HopMismatch chain[0]');
    expect(await seen(linksOf(await honest()), { now: NOW - 31 })).toBe('HopMismatch chain[0]');
  });

  it.each(['', 'a.b.c', 'e30.e30.e30', '\u0000', 'a'.repeat(4000)])('nonsense %#', async (link) => {
    expect(await seen([link])).toBe('HopMismatch chain[0]');
  });

  it('of more hops than anybody needs is not read', async () => {
    expect(await seen(Array<string>(9).fill('x'))).toBe('HopMismatch chain[8]');
  });
});

describe('for whom the agents act', () => {
  const said = async (subjects: readonly (string | undefined)[]): Promise<string> => {
    const names = ['a', 'b', 'c', 'd'];
    const tools = ['c.d.delete_task', 'd.delete_task', 'delete_task'];
    let chain: Hop[] = [{ agent: 'claude' }];
    for (const [n, subject] of subjects.entries()) {
      const passed = { tool: tools[n]!, canonicalArgs: ARGS };
      const link = await makeLink(agents[names[n]!]!, names[n + 1]!, passed, chain, NOW, subject);
      chain = [...chain, { agent: names[n]!, link }];
    }
    const links = linksOf(chain);
    const answer = await seen(links);
    return answer.startsWith('HopMismatch') ? answer : String(statedSubject(links));
  };

  it('is what the last one says, and nobody may change what was said before', async () => {
    expect(await said(['alice', 'alice', 'alice'])).toBe('alice');
    expect(await said([undefined, undefined, 'alice'])).toBe('alice');
    expect(await said([undefined, undefined, undefined])).toBe('undefined');
    expect(await said(['alice', 'bob', 'bob'])).toBe('HopMismatch chain[1]');
    expect(await said(['alice', 'alice', undefined])).toBe('HopMismatch chain[2]');
  });
});
