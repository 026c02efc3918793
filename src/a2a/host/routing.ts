import type { Catalogue, OfferedTool } from '../../dispatcher/catalogue.js';
import type { Dispatching } from '../../dispatcher/dispatch.js';
import type { RemoteAgent } from './remote-agent.js';
import type { RemoteCalls } from './remote-calls.js';

/** One dispatcher for both: a call goes to the agent its name begins with, else to this bridge's own. */
export function routed(local: Dispatching, remote: RemoteCalls): Dispatching {
  const of = (tool: string): Dispatching => (remote.handles(tool) ? remote : local);
  return {
    dispatch: (call, patience) => of(call.tool).dispatch(call, patience),
    declinedByClient: (call, consentId) => of(call.tool).declinedByClient(call, consentId),
    scopesMissing: (caller, tool) => of(tool).scopesMissing(caller, tool),
    acknowledge: (outcome) => {
      local.acknowledge(outcome);
      remote.acknowledge(outcome);
    },
  };
}

export type ToolListing = Pick<Catalogue, 'list'>;

/** This bridge's own tools, then those of the agents that can be reached. One that is away takes only its own from the list. */
export function listedTogether(local: ToolListing, agents: readonly RemoteAgent[]): ToolListing {
  return {
    list: async () => {
      const remote = agents.map((agent) => offeredBy(agent).catch(() => []));
      return (await Promise.all([local.list(), ...remote])).flat();
    },
  };
}

async function offeredBy(agent: RemoteAgent): Promise<readonly OfferedTool[]> {
  const { name, scopes } = agent.config;
  return (await agent.tools()).map(({ definition, gated }) => ({
    definition: { ...definition, name: `${name}.${definition.name}` },
    policy: { scopes, mode: gated ? 'gated' : 'open' },
    // The agent checks them against its own schema, as its own authority.
    checkArgs: () => undefined,
  }));
}
