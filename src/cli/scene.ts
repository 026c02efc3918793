/** The cast of a walkthrough or demo on one running stack: an agent, a person with a passkey, and the bridge taken over. */
import { randomBytes } from 'node:crypto';
import type { SignedPayload } from '../contract/payload.js';
import type { Caller } from '../contract/wire.js';
import { Agent } from './agent.js';
import type { ApproverAtPage } from './approver-at-page.js';
import { CompromisedBridge } from './compromised-bridge.js';
import { runDomain } from './domain-command.js';
import { inviteApprover, issueToken } from './operator.js';
import { SoftwareApprover } from './software-approver.js';
import type { Stack } from './stack.js';

export interface Scene {
  readonly stack: Stack;
  readonly caller: Caller;
  readonly agent: Agent;
  readonly approver: ApproverAtPage;
  readonly takenOver: CompromisedBridge;
  /** Connects a further client of the same person, with other scopes or another client id. */
  connect(clientId: string, scopes: readonly string[]): Promise<Agent>;
  /** Ends the connections and revokes what the scene brought: its tokens and the person's keys. */
  close(): Promise<void>;
}

const CLIENT_ID = 'walkthrough-agent';
const SCOPES = ['tasks.read', 'tasks.write'];
/** Seconds; longer than any story takes. */
const TOKEN_SECONDS = 3600;

/** @param openApprover a browser instead of the software passkey */
export async function openScene(
  stack: Stack,
  openApprover: (origin: string) => ApproverAtPage | Promise<ApproverAtPage> = (origin) =>
    new SoftwareApprover(origin),
): Promise<Scene> {
  const { data, configs } = stack;
  // A person of its own for every run, so that two at once on one stack do not meet.
  const subject = `walkthrough-${randomBytes(2).toString('hex')}@example.com`;
  const agents: Agent[] = [];
  const tokenIds: string[] = [];
  const connect = async (clientId: string, scopes: readonly string[]): Promise<Agent> => {
    const request = { subject, clientId, scopes, ttlSeconds: TOKEN_SECONDS };
    const { token, tokenId } = await issueToken(data, request);
    tokenIds.push(tokenId);
    const agent = await Agent.connect(mcpUrl(stack), token, clientId);
    agents.push(agent);
    return agent;
  };
  const enrolled = async (): Promise<ApproverAtPage> => {
    const [approver, { link }] = await Promise.all([
      openApprover(configs['consent-ui'].origin),
      inviteApprover(data, subject),
    ]);
    await approver.enrol(link);
    return approver;
  };
  const [agent, approver] = await Promise.all([connect(CLIENT_ID, SCOPES), enrolled()]);
  return {
    stack,
    caller: { subject, client_id: CLIENT_ID, scopes: SCOPES },
    agent,
    approver,
    takenOver: new CompromisedBridge(stack),
    connect,
    close: async () => {
      await Promise.all([...agents.map((one) => one.close()), approver.close()]);
      // Settled, not all: a key the resource server never saw is none it can revoke.
      await Promise.allSettled([
        runDomain(data, 'vault', ['revoke-key', '--approver', subject]),
        runDomain(data, 'rs', ['revoke', '--approver', subject]),
        ...tokenIds.map((id) => runDomain(data, 'bridge', ['token', 'revoke', '--token-id', id])),
      ]);
    },
  };
}

export function mcpUrl({ configs }: Stack): string {
  const { host, port } = configs.bridge.listen;
  return `http://${host}:${port}/mcp`;
}

/** A consent to delete a task that the person really signs, proposed by the bridge taken over. `ttl` in seconds. */
export async function signedConsent(
  { takenOver, approver, caller }: Scene,
  taskId: string,
  ttl?: number,
): Promise<SignedPayload> {
  const payload = takenOver.payload(caller, 'delete_task', { task_id: taskId }, ttl);
  const attempt = await approver.approve(await takenOver.propose(payload));
  if (attempt.kind === 'refused') throw new Error(`signing: ${attempt.code} (${attempt.layer})`);
  return takenOver.signed(payload.nonce);
}
