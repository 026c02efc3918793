import { Server, type ServerCapabilities } from '@modelcontextprotocol/server';
import type { ResourceServerClient } from '../clients/rs-client.js';
import type { JsonObject } from '../contract/json.js';
import { displayText } from '../contract/display.js';
import type { Surface } from '../contract/wire.js';
import type { Catalogue } from '../dispatcher/catalogue.js';
import { callTool } from './call-tool.js';
import type { Connection } from './connection.js';
import type { Lanes } from './lanes.js';
import type { CommandPorts } from './run-command.js';
import { listTools } from './tool-list.js';
import {
  asListed,
  complete,
  getPrompt,
  readResource,
  setLevel,
  subscribe,
} from './upstream-requests.js';

export interface ServerPorts extends CommandPorts {
  readonly catalogue: Pick<Catalogue, 'list' | 'surface'>;
  readonly rs: Pick<ResourceServerClient, 'relay' | 'listen'>;
  readonly lanes: Lanes;
  readonly version: string;
}

const INSTRUCTIONS =
  'Some tools need a person to approve each call. When a call asks for approval, show the person the link, and after ' +
  'they have signed repeat the call with exactly the same arguments. Never change arguments to get around a refusal.';

/** One low-level MCP server for one request or connection, of either era: the tools, and what else upstreams offer. */
export async function mcpServer(connection: Connection, ports: ServerPorts): Promise<Server> {
  const surface = await ports.catalogue.surface().catch(() => NO_SURFACE);
  const offers = offersOf(surface);
  const { era } = connection;
  const server = new Server(
    { name: 'consent-bridge', title: 'consent-bridge', version: ports.version },
    {
      capabilities: capabilitiesOf(offers, era),
      instructions: instructionsOf(surface),
      requestState: { verify: (text, ctx) => ports.codec.verify(text, ctx) },
    },
  );
  server.setRequestHandler('tools/list', async () => listTools(await ports.catalogue.list()));
  server.setRequestHandler('tools/call', (request, ctx) =>
    callTool(request, ctx, connection, ports),
  );
  if (offers.resources) resources(server, connection, ports);
  if (offers.prompts) prompts(server, connection, ports);
  if (offers.completions)
    server.setRequestHandler('completion/complete', async ({ params }, ctx) =>
      result(await complete(params, ctx, connection, ports)),
    );
  if (offers.logging && era === 'legacy')
    server.setRequestHandler('logging/setLevel', ({ params }, ctx) =>
      setLevel(params.level, ctx, connection, ports),
    );
  return server;
}

function resources(server: Server, connection: Connection, ports: ServerPorts): void {
  const listed = () => ports.catalogue.surface();
  server.setRequestHandler('resources/list', async () =>
    result({ resources: (await listed()).resources.map(asListed) }),
  );
  server.setRequestHandler('resources/templates/list', async () =>
    result({ resourceTemplates: (await listed()).resource_templates.map(asListed) }),
  );
  server.setRequestHandler('resources/read', async ({ params }, ctx) =>
    result(await readResource(params.uri, ctx, connection, ports)),
  );
  if (connection.era === 'modern') return;
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const)
    server.setRequestHandler(method, ({ params }, ctx) =>
      subscribe(method, params.uri, ctx, connection, ports),
    );
}

function prompts(server: Server, connection: Connection, ports: ServerPorts): void {
  server.setRequestHandler('prompts/list', async () =>
    result({ prompts: (await ports.catalogue.surface()).prompts.map(asListed) }),
  );
  server.setRequestHandler('prompts/get', async ({ params }, ctx) =>
    result(await getPrompt(params, ctx, connection, ports)),
  );
}

/** What upstreams answer is theirs to shape; the SDK checks it once more on its way out. */
const result = (answer: object): never => answer as never;

type Offers = Readonly<
  Record<'resources' | 'subscribe' | 'prompts' | 'completions' | 'logging' | 'changes', boolean>
>;

/** Of a bridge that only passes calls on to other agents. */
export const NO_SURFACE: Surface = {
  revision: 0,
  tools: [],
  resources: [],
  resource_templates: [],
  prompts: [],
  upstreams: [],
};

function offersOf({ upstreams }: Surface): Offers {
  const some = (name: string): boolean =>
    upstreams.some(({ capabilities }) => capabilities?.[name] !== undefined);
  const subscribe = upstreams.some(
    ({ capabilities }) => (capabilities?.['resources'] as JsonObject | undefined)?.['subscribe'],
  );
  return {
    resources: some('resources'),
    subscribe,
    prompts: some('prompts'),
    completions: some('completions'),
    logging: some('logging'),
    changes: upstreams.length > 0,
  };
}

function capabilitiesOf(offers: Offers, era: Connection['era']): ServerCapabilities {
  const changes = offers.changes ? { listChanged: true } : {};
  return {
    tools: changes,
    ...(offers.resources
      ? { resources: { ...changes, ...(offers.subscribe ? { subscribe: true } : {}) } }
      : {}),
    ...(offers.prompts ? { prompts: changes } : {}),
    ...(offers.completions ? { completions: {} } : {}),
    ...(offers.logging && era === 'legacy' ? { logging: {} } : {}),
  };
}

/** Ours first; then what each upstream says of itself, named. */
function instructionsOf({ upstreams }: Surface): string {
  const theirs = upstreams.flatMap(({ name, instructions }) =>
    instructions === undefined ? [] : [`${name}: ${displayText(instructions)}`],
  );
  return [INSTRUCTIONS, ...theirs].join('\n\n');
}
