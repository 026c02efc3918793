import { describe, expect, it } from 'vitest';
import type { ConsentClient } from '../../../src/clients/consent-client.js';
import type { SignedPayload } from '../../../src/contract/payload.js';
import type { Decision, Proposal } from '../../../src/contract/wire.js';
import { ConsentIds } from '../../../src/dispatcher/consent-id.js';
import { Gate, type GatePorts } from '../../../src/dispatcher/gate.js';
import type { Outcome } from '../../../src/dispatcher/outcome.js';
import type { ToolCall } from '../../../src/dispatcher/proposal.js';
import { ConsentStore } from '../../../src/store/consents.js';
import { openDatabase } from '../../../src/store/database.js';
import type { ToolPolicy } from '../../../src/dispatcher/policy.js';

const POLICY: ToolPolicy = { scopes: [], mode: 'gated' };
const TOOL = { name: 'delete_task', input_schema: {} };
const AT_ONCE = { mayAsk: true, waitSeconds: 0 };
const call: ToolCall = {
  caller: { subject: 'alice', client_id: 'agent', scopes: [] },
  tool: 'delete_task',
  args: {},
  canonicalArgs: '{}',
};
const success: Outcome = { kind: 'Success', result: { deleted: 't-1' } };

/** The consent page in memory: `approve` decides, `hold` keeps answers back until it is called again. */
class Page {
  readonly proposals: Proposal[] = [];
  private status: Decision['status'] = 'pending';
  private readonly held: (() => void)[] = [];
  holding = false;

  readonly client: Pick<ConsentClient, 'propose' | 'decision' | 'report'> = {
    propose: (proposal) => {
      this.proposals.push(proposal);
      return Promise.resolve(this.decision(proposal.payload.nonce));
    },
    decision: async (id) => {
      if (this.holding) await new Promise<void>((resolve) => this.held.push(resolve));
      return this.decision(id);
    },
    report: () => Promise.resolve(),
  };

  approve(): void {
    this.status = 'approved';
  }

  release(): void {
    this.holding = false;
    for (const resolve of this.held) resolve();
  }

  private decision(id: string): Decision {
    const payload = this.proposals[0]?.payload;
    const signed = { payload, signature: { key_id: 'k' } } as unknown as SignedPayload;
    return this.status === 'approved'
      ? { id, status: 'approved', signed }
      : { id, status: this.status };
  }
}

function gateOn(store: ConsentStore, page: Page, more: Partial<GatePorts> = {}): Gate {
  return new Gate({
    store,
    ids: new ConsentIds(Buffer.alloc(32)),
    rate: { take: () => undefined } as unknown as GatePorts['rate'],
    page: page.client as ConsentClient,
    vault: {
      mint: () =>
        Promise.resolve({ credential: 'c', jti: 'j', exp: 0, approverId: 'alice', command: 'x' }),
      consume: () => Promise.reject(new Error('not here')),
    },
    terms: { rarType: 'r', audience: 'https://rs', ttlSeconds: 300 },
    pageOrigin: 'https://page',
    clock: () => 1_800_000_000_000,
    ...more,
  });
}

function newStore(): ConsentStore {
  return new ConsentStore(openDatabase(':memory:'), () => undefined);
}

describe('a call that waits for a consent', () => {
  it('hears its outcome even if another call was told it first, and opens no second one', async () => {
    const page = new Page();
    const store = newStore();
    const gate = gateOn(store, page);
    const asked = await gate.approvalFor(call, POLICY, TOOL, AT_ONCE);
    expect(asked.kind).toBe('ApprovalRequired');

    page.holding = true;
    const waiting = gate.approvalFor(call, POLICY, TOOL, AT_ONCE);
    page.approve();
    const id = page.proposals[0]?.payload.nonce ?? '';
    store.settle(id, success, 1_800_000_000, { event: 'call.executed', data: {} });
    gate.acknowledge(id);
    page.release();

    expect(await waiting).toEqual(success);
    expect(page.proposals).toHaveLength(1);
    // A call that comes afterwards is a new wish.
    await gate.approvalFor(call, POLICY, TOOL, AT_ONCE);
    expect(page.proposals).toHaveLength(2);
  });
});

describe('two processes on one store', () => {
  it('open a consent at once: only what was stored is put before the approver', async () => {
    const page = new Page();
    const store = newStore();
    const first = gateOn(store, page);
    let other: Promise<unknown> | undefined;
    const take = (): void => void (other = first.approvalFor(call, POLICY, TOOL, AT_ONCE));
    const late = gateOn(store, page, {
      rate: { take } as unknown as GatePorts['rate'],
      clock: () => 1_800_000_001_000,
    });
    const asked = await late.approvalFor(call, POLICY, TOOL, AT_ONCE);
    await other;
    expect(asked).toMatchObject({ kind: 'ApprovalRequired', exp: 1_800_000_300 });
    expect(page.proposals.map(({ payload }) => payload.exp)).toEqual([1_800_000_300]);
  });
});
