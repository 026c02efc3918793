import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approverAssertion } from '../../src/cli/client-assertion.js';
import { CompromisedBridge } from '../../src/cli/compromised-bridge.js';
import { call } from '../../src/cli/http.js';
import { generateJwk, publicJwk, signBytes } from '../../src/cli/jwk.js';
import { canonicalBytes } from '../../src/contract/canonical.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { SignedPayload } from '../../src/contract/payload.js';
import { runDomain } from '../support/run-domain.js';
import { AgentLine } from '../crash/agent-line.js';
import { audit } from '../crash/audit.js';
import { Bookkeeper } from '../crash/books.js';
import { Load } from '../crash/load.js';
import { pairs } from '../crash/people.js';
import { Replicas } from '../crash/replicas.js';
import { Stage } from '../crash/stage.js';

const PROCESSES = 20;
const ROUNDS = 10;
const HEAD_START_MS = 40;
const NEVER_SAID = /database is locked|SQLITE_BUSY|unhandled|uncaught/i;

let stage: Stage;
let replicas: Replicas | undefined;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Starts them, and afterwards none has said what nobody may say, and all ended as told. */
function withReplicas(domain: 'vault' | 'rs' | 'consent-ui' | 'bridge', count: number): void {
  beforeAll(async () => {
    replicas = await Replicas.start(stage.domains, domain, count);
  });
  afterAll(async () => {
    expect(new Set(await replicas?.stop())).toEqual(new Set([0]));
    expect(
      [...(replicas?.said ?? []), ...stage.domains.scandals].filter((line) =>
        NEVER_SAID.test(line),
      ),
    ).toEqual([]);
  });
}

/** The bridge's key in other hands, sending to one replica instead of the service itself. */
function bridgeTo(service: 'vault' | 'rs', url: string): CompromisedBridge {
  const { data, configs } = stage.domains;
  const bridge = { ...configs.bridge, [service]: { ...configs.bridge[service], url } };
  return new CompromisedBridge({ data, configs: { ...configs, bridge } });
}

const caller = () => ({
  subject: stage.pair.subject,
  client_id: 'agent-0',
  scopes: ['tasks.write'],
});

async function signed(): Promise<{ args: JsonObject & { title: string }; signed: SignedPayload }> {
  const bridge = stage.takenBridge();
  const args = { title: stage.newKey() };
  const payload = bridge.payload(caller(), 'create_task', args);
  await stage.pair.approver.approve(await bridge.propose(payload));
  return { args, signed: await bridge.signed(payload.nonce) };
}

function tally(words: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[String(word)] = (counts[String(word)] ?? 0) + 1;
  return counts;
}

const outcomeOf = ({ status, body }: { status: number; body: unknown }): unknown =>
  status < 400 ? 'won' : (body as { code?: unknown }).code;

describe('20 vault processes are shown one signature', () => {
  withReplicas('vault', PROCESSES);

  it('one mints, the others refuse it as used', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await signed();
      const answers = await Promise.all(
        replicas!.urls.map((url) => bridgeTo('vault', url).mint(approval.signed)),
      );
      expect(tally(answers.map(outcomeOf))).toEqual({ won: 1, SignatureReplay: PROCESSES - 1 });
    }
  });
});

describe('20 resource server processes are shown one credential', () => {
  withReplicas('rs', PROCESSES);

  it('one executes, the others refuse it as used, and the action ran once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const approval = await signed();
      const credential = await stage.takenBridge().credential(approval.signed);
      const execution = { command: 'create_task', caller: caller(), ...approval, credential };
      const answers = await Promise.all(
        replicas!.urls.map((url) => bridgeTo('rs', url).execute(execution)),
      );
      expect(tally(answers.map(outcomeOf))).toEqual({ won: 1, CredentialReplay: PROCESSES - 1 });
      expect(stage.ran({ key: approval.args.title })).toBe(1);
    }
  });
});

describe('20 consent page processes, ten told yes and ten told no', () => {
  const key = generateJwk('ES256');
  const approver = 'person-at-a-terminal@example.com';
  withReplicas('consent-ui', PROCESSES);
  beforeAll(async () => {
    const args = [
      'add-key',
      '--approver',
      approver,
      '--public-jwk',
      JSON.stringify(publicJwk(key)),
    ];
    await runDomain('vault', stage.domains.dir('vault'), args);
  });

  it('one answer holds for all, and the page keeps that one', async () => {
    const bridge = stage.takenBridge();
    const finals = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const asker = { ...caller(), subject: approver };
      const payload = bridge.payload(asker, 'create_task', { title: stage.newKey() });
      await bridge.propose(payload);
      const signature = {
        scheme: 'es256' as const,
        key_id: key.kid,
        signature: signBytes(key, canonicalBytes(payload, 'client')).toString('base64url'),
      };
      const authorization = `Bearer ${approverAssertion(key, approver, stage.domains.origin)}`;
      const answers = await Promise.all(
        replicas!.urls.map(async (url, n) => {
          const yes = (n + round) % 2 === 0;
          // A no is one write, a yes asks the vault first: from no head start to more than enough, so that either wins.
          if (!yes) await new Promise((resolve) => setTimeout(resolve, round * HEAD_START_MS));
          const answer = await call(
            `${url}/consents/${payload.nonce}/${yes ? 'approve' : 'decline'}`,
            {
              method: 'POST',
              headers: { authorization, accept: 'application/json' },
              json: yes ? { signature } : {},
            },
          );
          return `${yes ? 'approved' : 'declined'}: ${String(outcomeOf(answer))}`;
        }),
      );
      const view = await call(`${stage.domains.origin}/consents/${payload.nonce}`, {
        headers: { authorization, accept: 'application/json' },
      });
      const { status } = view.body as { status: string };
      const other = status === 'approved' ? 'declined' : 'approved';
      expect(tally(answers)).toEqual({ [`${status}: won`]: 10, [`${other}: AlreadyDecided`]: 10 });
      finals.add(status);
    }
    expect(finals).toEqual(new Set(['approved', 'declined']));
  });
});

describe('64 clients of one caller, on eight bridge processes, want the same action', () => {
  withReplicas('bridge', 8);

  it('there is one consent, it runs once, and nobody hears another outcome', async () => {
    const pools = replicas!.urls.map((url) => new Pool(url, { connections: 16 }));
    const lines = Array.from(
      { length: 64 },
      (_, n) => new AgentLine(pools[n % pools.length]!, stage.pair.token, 'modern'),
    );
    for (let round = 0; round < 3; round += 1) {
      const key = stage.newKey();
      const asked = await Promise.all(lines.map((line) => stage.create(line, key)));
      const [first] = asked;
      if (first?.kind !== 'asked') throw new Error(`not asked but ${JSON.stringify(first)}`);
      expect(tally(asked.map((reply) => ('id' in reply ? reply.id : reply.kind)))).toEqual({
        [first.id]: 64,
      });
      expect(await stage.approve({ key, ...first })).toBe('done');
      const told = await Promise.all(
        lines.map((line, n) => {
          const own = asked[n];
          return stage.create(line, key, own?.kind === 'asked' ? own.requestState : undefined);
        }),
      );
      expect(tally(told.map((reply) => JSON.stringify(reply)))).toEqual({
        [JSON.stringify(told[0])]: 64,
      });
      expect(told[0]).toMatchObject({ kind: 'success' });
      expect(stage.ran({ key })).toBe(1);
    }
    await Promise.all(pools.map((pool) => pool.close()));
  });
});

describe('the vault rotates its key under load', () => {
  it('every wish comes to its end, once, and no refusal is new', async () => {
    const books = new Bookkeeper(stage.domains);
    const load = new Load(stage.domains, await pairs(stage.domains, 4), stage.effects, 1);
    books.read();
    load.start(6);
    for (let rotation = 0; rotation < 8; rotation += 1) {
      await runDomain('vault', stage.domains.dir('vault'), ['rotate-key']);
      await load.progress(6, 10_000);
    }
    const errands = await load.drain();
    await load.close();
    expect(audit(errands, books.read(), stage.effects)).toMatchObject({
      problems: [],
      indeterminate: 0,
    });
    expect(
      errands
        .flatMap(({ log }) => log)
        .filter((line) => /not-done (?!declined|RateLimited)|error/.test(line)),
    ).toEqual([]);
    expect(stage.domains.scandals).toEqual([]);
  });
});
