#!/usr/bin/env node
/** The bridge process. `bridge` (src/cli) spawns it; an operator may also run it alone. */
import { Command } from 'commander';
import { openBridge } from './bridge.js';
import { openStores } from './core.js';
import { loadConfig } from './config.js';
import { Refusal } from './contract/errors.js';
import type { Caller } from './contract/wire.js';
import { callerOf } from './mcp/callers.js';
import { httpApp } from './mcp/http-app.js';
import { stdioServer } from './mcp/stdio.js';
import { version } from './version.js';

interface DataOption {
  readonly data: string;
}

const clock = (): number => Date.now();
const program = new Command('bridge-process')
  .version(version)
  .description('The bridge: dispatcher, gate and MCP surface');

program
  .command('serve')
  .description('serve MCP over Streamable HTTP')
  .requiredOption('--data <dir>', 'data directory of the bridge')
  .action(async ({ data }: DataOption) => {
    const config = loadConfig(data);
    const bridge = await openBridge(data, config, clock, (ctx) => callerOf(ctx.http?.authInfo));
    const app = httpApp({
      ports: bridge.ports,
      callers: bridge.callers,
      resource: bridge.resource,
      allowedHosts: config.allowed_hosts,
      further: bridge.a2aRoutes,
    });
    const url = await app.listen(config.listen);
    bridge.resume();
    stopOnSignal(async () => {
      bridge.stopWaiting();
      await bridge.stopFollowing();
      await app.close();
      await bridge.close();
    });
    process.stdout.write(`${JSON.stringify({ ready: 'bridge', url })}\n`);
  });

program
  .command('stdio')
  .description('serve one MCP client over stdio; the token comes from CONSENT_BRIDGE_TOKEN')
  .requiredOption('--data <dir>', 'data directory of the bridge')
  .action(async ({ data }: DataOption) => {
    const config = loadConfig(data);
    const token = process.env['CONSENT_BRIDGE_TOKEN'] ?? '';
    const known = (): Caller => {
      const found = bridge.tokens.callerOf(token);
      if (found === undefined) throw new Refusal('Unauthenticated', 'bridge');
      return found.caller;
    };
    const bridge = await openBridge(data, config, clock, known);
    if (bridge.tokens.callerOf(token) === undefined) {
      throw new Error(
        'CONSENT_BRIDGE_TOKEN is missing, unknown, revoked or expired; `bridge token issue` makes one',
      );
    }
    const server = stdioServer(bridge.ports, known, process.stdin, process.stdout);
    const stop = async (): Promise<void> => {
      await server.close();
      await bridge.close();
    };
    stopOnSignal(stop);
    process.stdin.once('end', () => void stop());
  });

const token = program.command('token').description('local bearer tokens of MCP callers');
token
  .command('issue')
  .requiredOption('--data <dir>')
  .requiredOption('--subject <id>', 'whom the caller acts for; by default this person approves')
  .requiredOption('--client <id>', 'the agent')
  .requiredOption('--scopes <list>', 'comma-separated', (list) =>
    list.split(',').filter((scope) => scope !== ''),
  )
  .option('--ttl <seconds>', 'lifetime', Number, 30 * 24 * 3600)
  .option('--json')
  .action(({ data, subject, client, scopes, ttl, json }: DataOption & TokenOptions) => {
    withStores(data, ({ tokens }) => {
      if (!Number.isSafeInteger(ttl) || ttl <= 0)
        throw new Error('--ttl takes a positive number of seconds');
      const issued = tokens.issue({ subject, client_id: client, scopes }, ttl);
      print(
        json,
        issued,
        `${issued.token}\n(shown once; for ${client} on behalf of ${subject}: ${scopes.join(' ')})`,
      );
    });
  });
token
  .command('list')
  .requiredOption('--data <dir>')
  .option('--json')
  .action(({ data, json }: DataOption & JsonOption) => {
    withStores(data, ({ tokens }) => {
      for (const listed of tokens.list()) {
        const until = new Date(listed.expires_at * 1000).toISOString();
        print(
          json,
          listed,
          `${listed.token_id}  ${listed.client_id} for ${listed.subject}  ${listed.scopes.join(' ')}  until ${until}`,
        );
      }
    });
  });
token
  .command('revoke')
  .requiredOption('--data <dir>')
  .requiredOption('--token-id <id>')
  .action(({ data, tokenId }: DataOption & { readonly tokenId: string }) => {
    withStores(data, ({ tokens }) => {
      if (!tokens.revoke(tokenId))
        throw new Error(`there is no token ${tokenId}; \`bridge token list\` shows them`);
      process.stdout.write(`revoked ${tokenId}\n`);
    });
  });

program
  .command('record')
  .description("print the bridge's record")
  .requiredOption('--data <dir>')
  .option('--after <seq>', 'only entries after this one', Number, 0)
  .option('--json')
  .action(({ data, after, json }: DataOption & JsonOption & { readonly after: number }) => {
    withStores(data, ({ record }) => {
      for (const entry of record.entriesAfter(after)) {
        const { seq, at_ms, domain, event, ...rest } = entry;
        const line = `${new Date(at_ms).toISOString()} ${domain} #${seq} ${event} ${JSON.stringify(rest)}`;
        print(json, entry, line);
      }
    });
  });

interface JsonOption {
  readonly json?: boolean;
}
interface TokenOptions extends JsonOption {
  readonly subject: string;
  readonly client: string;
  readonly scopes: string[];
  readonly ttl: number;
}

function withStores(data: string, use: (stores: ReturnType<typeof openStores>) => void): void {
  const stores = openStores(data, clock);
  try {
    use(stores);
  } finally {
    stores.db.close();
  }
}

function print(json: boolean | undefined, value: unknown, line: string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value) : line}\n`);
}

function stopOnSignal(stop: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0), fail));
  }
}

function fail(error: unknown): never {
  process.stderr.write(`bridge: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

program.parseAsync().catch(fail);
