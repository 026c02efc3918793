import type { Task } from '@a2a-js/sdk';
import { Refusal } from '../../contract/errors.js';
import type { Caller } from '../../contract/wire.js';
import type { ConsentIds } from '../../dispatcher/consent-id.js';
import type { Dispatching } from '../../dispatcher/dispatch.js';
import type { Patience } from '../../dispatcher/gate.js';
import { type Outcome, refusedBy } from '../../dispatcher/outcome.js';
import type { ToolCall } from '../../dispatcher/proposal.js';
import { SharedFlights } from '../../dispatcher/shared-flights.js';
import type { AppendRecord } from '../../store/record.js';
import type { AgentIdentity, TrustedAgents } from '../signing/agent-keys.js';
import { linksOf, makeLink } from '../signing/hop-link.js';
import { callParts } from '../translation/call.js';
import { resumeParts } from '../translation/resume.js';
import type { RemoteAgent, RemoteTool } from './remote-agent.js';
import type { RemoteCall, RemoteStore } from './remote-store.js';
import type { Changes } from './changes.js';
import { missingScopes } from './missing-scopes.js';
import { refusedResume, standingOf } from './standing.js';
import { Watches, type WatchesOptions } from './watches.js';

export interface RemoteCallsPorts {
  readonly agents: readonly RemoteAgent[];
  readonly store: RemoteStore;
  readonly ids: ConsentIds;
  readonly identity: AgentIdentity;
  readonly trusted: TrustedAgents;
  readonly changes: Changes;
  readonly record: AppendRecord;
  readonly clock: () => number;
}

const UNAUTHORIZED = { kind: 'Unauthorized', layer: 'dispatcher' } as const;

/** A call that has been on its way this long, milliseconds, is no longer being sent by anybody. */
const SENDING_MS = 140_000;

/**
 * Calls that go to other agents. The same promises as the gate: an identical call finds the one under way, a result is
 * told once, and one call becomes at most one remote task.
 */
export class RemoteCalls implements Dispatching {
  private readonly sending = new SharedFlights<RemoteCall>();
  private readonly watching: Watches;

  constructor(
    private readonly ports: RemoteCallsPorts,
    watches: Pick<WatchesOptions, 'key' | 'url'>,
  ) {
    this.watching = new Watches({ ...watches, refresh: (call) => this.refresh(call) });
  }

  /** Whether a tool by this name is another agent's. */
  handles(tool: string): boolean {
    return this.ports.agents.some(({ config }) => tool.startsWith(`${config.name}.`));
  }

  async dispatch(call: ToolCall, patience: Patience): Promise<Outcome> {
    const { subject, client_id } = call.caller;
    try {
      const { agent, tool } = this.routeOf(call.tool);
      const missing = missingScopes(call.caller, call.tool, agent.config.scopes, this.ports.record);
      if (missing.length > 0) return { ...UNAUTHORIZED, tool: call.tool, missingScopes: missing };
      return await this.pursue(call, agent, tool, patience);
    } catch (error) {
      const refused = refusedBy(error);
      const { code, layer } = refused;
      this.ports.record('call.refused', { tool: call.tool, subject, client_id, code, layer });
      return refused;
    }
  }

  scopesMissing(caller: Caller, tool: string): Promise<readonly string[]> {
    const { scopes } = this.routeOf(tool).agent.config;
    return Promise.resolve(missingScopes(caller, tool, scopes, this.ports.record));
  }

  acknowledge(outcome: Outcome): void {
    if ('consentId' in outcome) this.ports.store.markTold(outcome.consentId);
  }

  /** Cancels at the remote, which cancels at the next, down to the page. What was decided before stays decided. */
  async declinedByClient(call: ToolCall, consentId: string): Promise<Outcome> {
    const declined: Outcome = { kind: 'Declined', by: 'client', consentId };
    const remote = this.ports.store.byId(consentId);
    if (remote?.lookup !== this.ports.ids.lookup(call) || remote.state !== 'parked')
      return declined;
    const agent = this.agentOf(remote);
    try {
      await this.take(remote, await agent.cancel(remote.subject, remote.taskId ?? ''));
    } catch {
      await this.refresh(remote).catch(() => undefined);
    }
    return declined;
  }

  /** A push notification for one of these calls. */
  notified(id: string, token: string): boolean {
    return this.watching.notified(id, token);
  }

  close(): void {
    this.watching.close();
  }

  private async pursue(
    call: ToolCall,
    agent: RemoteAgent,
    tool: string,
    patience: Patience,
  ): Promise<Outcome> {
    const { store, ids, changes } = this.ports;
    const lookup = ids.lookup(call);
    const referred = call.consentId === undefined ? undefined : store.byId(call.consentId);
    if (referred?.lookup === lookup && referred.result !== undefined) return referred.result;

    const known = store.latest(lookup);
    if (known?.state === 'settled' && !known.told) return must(known.result);
    const parked = known?.state === 'parked' ? known : undefined;
    const remote = parked ?? (await this.sent(call, agent, tool, patience, known));
    if (parked !== undefined) {
      const refused = await this.nudge(parked, agent, call.signed);
      if (refused !== undefined) return refused;
    }
    const still = must(store.byId(remote.id));
    if (still.state === 'parked') {
      this.watching.start(still, agent);
      await changes.next(still.id, patience.waitSeconds, patience.signal);
    }
    return outcomeOf(must(store.byId(remote.id)));
  }

  /** The call on its way to the agent, sent now unless it is under way. One that a crash cut off may have run. */
  private sent(
    call: ToolCall,
    agent: RemoteAgent,
    tool: string,
    { mayAsk }: Patience,
    known: RemoteCall | undefined,
  ): Promise<RemoteCall> {
    const lookup = this.ports.ids.lookup(call);
    return this.sending.run(lookup, async () => {
      if (known?.state === 'sent') return this.cutOff(known);
      const offered = (await agent.tools()).find(({ definition }) => definition.name === tool);
      if (offered === undefined) throw new Refusal('UnknownTool', 'dispatcher');
      if (offered.gated && !mayAsk) throw new Refusal('ApprovalRequired', 'dispatcher');
      return this.send(call, agent, offered, lookup, (known?.generation ?? -1) + 1);
    });
  }

  /** A call that is being sent, by another process of this bridge or by one that is gone. The latter may have run. */
  private cutOff(known: RemoteCall): RemoteCall {
    const age = this.ports.clock() - known.changedAt;
    if (age >= 0 && age < SENDING_MS)
      throw new Refusal('Unavailable', 'bridge', { detail: 'it is being sent' });
    this.settle(known, indeterminate(known.id));
    return known;
  }

  private async send(
    call: ToolCall,
    agent: RemoteAgent,
    offered: RemoteTool,
    lookup: string,
    generation: number,
  ): Promise<RemoteCall> {
    const passed = { ...call, tool: offered.definition.name };
    const { store, ids, identity, clock } = this.ports;
    const { subject, client_id } = call.caller;
    const chain = call.chain ?? [{ agent: client_id }];
    const now = Math.floor(clock() / 1000);
    const link = await makeLink(identity, agent.config.agent_id, passed, chain, now, subject);
    const id = ids.consent(call, generation);
    store.open({ id, lookup, generation, agent: agent.config.name, subject, link });
    const remote = must(store.byId(id));
    try {
      const links = [...linksOf(chain), link];
      await this.take(remote, await agent.send(subject, callParts({ ...passed, links })));
    } catch (error) {
      const refused = refusedBy(error, id);
      // A gated call that arrived all the same is only a question, which asking again finds. Another may have run.
      const ran = !offered.gated && refused.code === 'Unavailable';
      this.settle(remote, ran ? indeterminate(id) : refused);
    }
    return remote;
  }

  /** Tells the agent to go on. A refusal of what was sent along comes back; the task waits on. */
  private async nudge(
    remote: RemoteCall,
    agent: RemoteAgent,
    signed: ToolCall['signed'],
  ): Promise<Outcome | undefined> {
    const { taskId = '', contextId = '', subject } = remote;
    const parts = resumeParts(
      signed === undefined
        ? { action: 'continue' }
        : { action: 'signed', signedPayload: JSON.stringify(signed) },
    );
    let task: Task;
    try {
      task = await agent.send(subject, parts, { taskId, contextId });
    } catch {
      // Finished in between, perhaps: then its end is the answer.
      task = await agent.task(subject, taskId);
    }
    await this.take(remote, task);
    return signed === undefined ? undefined : refusedResume(task);
  }

  /** Whether the call is still parked after a look at its task. */
  private async refresh(call: RemoteCall): Promise<boolean> {
    const remote = this.ports.store.byId(call.id);
    if (remote?.state !== 'parked') return false;
    try {
      await this.take(remote, await this.agentOf(remote).task(remote.subject, remote.taskId ?? ''));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error;
      this.settle(remote, refusedBy(error, remote.id));
    }
    return this.ports.store.byId(call.id)?.state === 'parked';
  }

  /** Takes over what the task says. */
  private async take(remote: RemoteCall, task: Task): Promise<void> {
    const { store, identity, trusted, record, clock } = this.ports;
    const agent = this.agentOf(remote);
    const { name: from, consent_origins: origins } = agent.config;
    const now = Math.floor(clock() / 1000);
    const expected = { agent: identity.id, link: remote.link, origins, trusted, now };
    const standing = await standingOf(task, remote.id, expected);
    switch (standing.kind) {
      case 'ended':
        this.settle(remote, standing.outcome);
        break;
      case 'works':
        store.park(remote.id, task.id, task.contextId, undefined);
        break;
      case 'asks': {
        const { agent: leaf, exp } = standing.ask;
        const first = store.byId(remote.id)?.ask === undefined;
        const parked = store.park(remote.id, task.id, task.contextId, standing.ask);
        if (first && parked) record('remote.asked', { consent: remote.id, agent: from, leaf, exp });
        break;
      }
      case 'misleads': {
        const { code, path } = standing.outcome;
        record('hop.refused', { consent: remote.id, agent: from, code, path });
        this.settle(remote, standing.outcome);
        // Its agent should not go on asking. An agent in between can keep this from it, and gains nothing.
        await agent.cancel(remote.subject, task.id).catch(() => undefined);
      }
    }
  }

  private settle(remote: RemoteCall, result: Outcome): void {
    const { store, record, changes } = this.ports;
    if (!store.settle(remote.id, result)) return;
    const code = result.kind === 'Refused' ? { code: result.code, layer: result.layer } : {};
    record('remote.settled', {
      consent: remote.id,
      agent: remote.agent,
      status: result.kind,
      ...code,
    });
    changes.tell(remote.id);
  }

  private routeOf(name: string): { agent: RemoteAgent; tool: string } {
    const agent = this.ports.agents.find(({ config }) => name.startsWith(`${config.name}.`));
    if (agent === undefined) throw new Refusal('UnknownTool', 'dispatcher');
    return { agent, tool: name.slice(agent.config.name.length + 1) };
  }

  private agentOf(remote: RemoteCall): RemoteAgent {
    const agent = this.ports.agents.find(({ config }) => config.name === remote.agent);
    if (agent === undefined) throw new Refusal('Unavailable', 'bridge', { detail: remote.agent });
    return agent;
  }
}

function indeterminate(consentId: string): Outcome {
  return { kind: 'Refused', code: 'ExecutionIndeterminate', layer: 'bridge', consentId };
}

function outcomeOf({ id, state, ask, result }: RemoteCall): Outcome {
  if (state === 'settled') return must(result);
  if (ask === undefined)
    throw new Refusal('Unavailable', 'bridge', { path: 'task', detail: 'it works on' });
  const { consent_url: url, binding_message: message, exp } = ask;
  return { kind: 'ApprovalRequired', consentId: id, url, message, exp, ask };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a remote call lacks a member its state requires');
  return value;
}
