import type { UpOptions } from './commands/up.js';
import { runDomain } from './domain-command.js';
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
const EXAMPLE_TASKS = 'Water the plants,Cancel the old newsletter';

/** Starts everything, says how to use it, and stays until asked to end. Returns the exit code. */
export async function up(options: UpOptions): Promise<number> {
  const asked = askedToEnd().then(() => 0);
  let die: (line: string) => void = () => undefined;
  const died = new Promise<string>((resolve) => (die = resolve)).then((line) => {
    process.stderr.write(`bridge: ${line}; stopping the others\n`);
    return 1;
  });
  const stack = await startStack(options.data, die, options.portBase);
  try {
    return await Promise.race([asked, died, serve(stack, options)]);
  } finally {
    await stack.stop();
  }
}

async function serve(stack: Stack, { walkthrough, once }: UpOptions): Promise<number> {
  const entry = await prepare(stack);
  const { mcpUrl, token, consentUrl } = entry;
  process.stdout.write(`${JSON.stringify({ mcp_url: mcpUrl, token, consent_url: consentUrl })}\n`);
  const code = walkthrough ? await walkThroughTier2(stack, {}) : 0;
  if (once) return code;
  process.stdout.write(
    nextSteps({ ...entry, data: stack.data, subject: SUBJECT }, palette(process.stdout)),
  );
  return new Promise(() => undefined);
}

interface Entry {
  readonly mcpUrl: string;
  readonly token: string;
  readonly consentUrl: string;
  readonly enrolUrl: string;
}

async function prepare({ data, configs, fresh }: Stack): Promise<Entry> {
  const caller = {
    subject: SUBJECT,
    clientId: 'test-client',
    scopes: ['tasks.read', 'tasks.write'],
  };
  const [{ token }, { link }] = await Promise.all([
    issueToken(data, { ...caller, ttlSeconds: TOKEN_SECONDS }),
    inviteApprover(data, SUBJECT, INVITE_SECONDS),
    fresh && runDomain(data, 'rs', ['seed-tasks', '--titles', EXAMPLE_TASKS, '--if-empty']),
  ]);
  const { host, port } = configs.bridge.listen;
  return {
    mcpUrl: `http://${host}:${port}/mcp`,
    token,
    consentUrl: configs['consent-ui'].origin,
    enrolUrl: link,
  };
}
