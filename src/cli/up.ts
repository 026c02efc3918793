import type { UpOptions } from './commands/up.js';
import { runDomain } from './domain-command.js';
import { scopesOf } from './gateway/compile.js';
import { loadGatewayConfig } from './gateway/load.js';
import { overlayOf } from './gateway/overlay.js';
import type { GatewayConfig } from './gateway/schema.js';
import { nextSteps } from './next-steps.js';
import { inviteApprover, issueToken } from './operator.js';
import { palette } from './palette.js';
import { askedToEnd } from './shutdown.js';
import type { Stack } from './stack.js';
import { startStack } from './stack.js';
import { walkThroughTier2 } from './walkthrough.js';

/** The person in front of this machine: the test token acts for them, and they approve for themselves. */
const SUBJECT = 'you@example.com';
const TOKEN_SECONDS = 86_400;
const INVITE_SECONDS = 3600;
const CLIENT = 'test-client';
const EXAMPLE_SCOPES = ['tasks.read', 'tasks.write'];
const EXAMPLE_TASKS = 'Water the plants,Cancel the old newsletter';

/** Starts everything, says how to use it, and stays until asked to end. Returns the exit code. */
export async function up(options: UpOptions): Promise<number> {
  const asked = askedToEnd().then(() => 0);
  let die: (line: string) => void = () => undefined;
  const died = new Promise<string>((resolve) => (die = resolve)).then((line) => {
    process.stderr.write(`bridge: ${line}; stopping the others\n`);
    return 1;
  });
  const gateway = options.config === undefined ? undefined : loadGatewayConfig(options.config);
  const portBase = options.portBase ?? gateway?.port_base;
  const overlay = gateway && overlayOf(gateway, options.config ?? '');
  const stack = await startStack(options.data, die, portBase, overlay);
  try {
    return await Promise.race([asked, died, serve(stack, options, callerOf(gateway))]);
  } finally {
    await stack.stop();
  }
}

/** For whom the test token is. */
interface Caller {
  readonly subject: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Whether the example tasks are there. */
  readonly examples: boolean;
}

function callerOf(gateway: GatewayConfig | undefined): Caller {
  const { subject = SUBJECT, client_id: clientId = CLIENT } = gateway?.caller ?? {};
  const examples = gateway === undefined || gateway.example_tasks === true;
  const named = gateway === undefined ? [] : scopesOf(gateway);
  return { subject, clientId, examples, scopes: [...(examples ? EXAMPLE_SCOPES : []), ...named] };
}

async function serve(
  stack: Stack,
  { walkthrough, once }: UpOptions,
  caller: Caller,
): Promise<number> {
  const entry = await prepare(stack, caller);
  const { mcpUrl, token, consentUrl } = entry;
  process.stdout.write(`${JSON.stringify({ mcp_url: mcpUrl, token, consent_url: consentUrl })}\n`);
  const code = walkthrough ? await walkThroughTier2(stack, {}) : 0;
  if (once) return code;
  process.stdout.write(
    nextSteps({ ...entry, ...caller, data: stack.data }, palette(process.stdout)),
  );
  return new Promise(() => undefined);
}

interface Entry {
  readonly mcpUrl: string;
  readonly token: string;
  readonly consentUrl: string;
  readonly enrolUrl: string;
}

async function prepare({ data, configs, fresh }: Stack, caller: Caller): Promise<Entry> {
  const [{ token }, { link }] = await Promise.all([
    issueToken(data, { ...caller, ttlSeconds: TOKEN_SECONDS }),
    inviteApprover(data, caller.subject, INVITE_SECONDS),
    fresh &&
      caller.examples &&
      runDomain(data, 'rs', ['seed-tasks', '--titles', EXAMPLE_TASKS, '--if-empty']),
  ]);
  const { host, port } = configs.bridge.listen;
  return {
    mcpUrl: `http://${host}:${port}/mcp`,
    token,
    consentUrl: configs['consent-ui'].origin,
    enrolUrl: link,
  };
}
