/** The cast of the story over A2A: a chain of agents with a wire before each, a person with a passkey, an MCP client at its head. */
import { AgentChain } from './a2a-agents.js';
import { Wire } from './a2a-wire.js';
import { Agent } from './agent.js';
import { CompromisedBridge } from './compromised-bridge.js';
import { readConfig } from './data-directory.js';
import { inviteApprover } from './operator.js';
import { SoftwareApprover } from './software-approver.js';

export interface A2aScene {
  readonly chain: AgentChain;
  /** `wires[n]` is what agent `n` sends to agent `n + 1`. */
  readonly wires: readonly Wire[];
  readonly subject: string;
  readonly agent: Agent;
  readonly approver: SoftwareApprover;
  /** The leaf's own bridge, taken over. */
  readonly leaf: CompromisedBridge;
  /** The first agent, taken over, with its own keys at every service it is a client of. */
  readonly first: CompromisedBridge;
  /** A further MCP client of the first agent. */
  connect(clientId: string): Promise<Agent>;
  close(): Promise<void>;
}

export async function openA2aScene(
  depth: number,
  onDeath: (line: string) => void,
): Promise<A2aScene> {
  const subject = 'alice@example.com';
  const wires = await Promise.all(Array.from({ length: depth }, () => Wire.open()));
  const publicUrl = (n: number, url: string): string => {
    const wire = wires[n - 1];
    if (wire === undefined) return url;
    wire.target = url;
    return wire.url;
  };
  const chain = await AgentChain.start({ depth, subject, publicUrl }, onDeath);
  const { data, configs } = chain;
  const approver = new SoftwareApprover(configs['consent-ui'].origin);
  await approver.enrol((await inviteApprover(data, subject)).link);
  const agents: Agent[] = [];
  const connect = async (clientId: string): Promise<Agent> => {
    const token = await chain.token(subject, clientId);
    const agent = await Agent.connect(`${chain.first.url}/mcp`, token, clientId);
    agents.push(agent);
    return agent;
  };
  const bridge = readConfig(chain.first.data, 'bridge');
  return {
    ...{ chain, wires, subject, approver, connect },
    agent: await connect('walkthrough-agent'),
    leaf: new CompromisedBridge({ data, configs }),
    first: new CompromisedBridge({ data: chain.first.data, configs: { ...configs, bridge } }),
    close: async () => {
      await Promise.all(agents.map((one) => one.close()));
      for (const wire of wires) wire.close();
      await chain.stop();
    },
  };
}
