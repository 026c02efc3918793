/** A look at what a server offers, to propose lines for its policy. Nothing at run time reads annotations. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { version } from '../../version.js';
import type { Upstream } from './schema.js';
import { withVariables } from './variables.js';

export interface SeenTool {
  readonly name: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
}

export interface Seen {
  readonly tools: readonly SeenTool[];
  readonly resources: boolean;
  readonly prompts: boolean;
}

const LOOK_MS = 30_000;
/** Some servers offer tools only to clients that can be asked; what they ask here is answered with an error. */
const CLAIMED = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

/** @throws Error when the server cannot be reached or does not answer in 30 s */
export async function lookAt(upstream: Upstream, directory: string): Promise<Seen> {
  const client = new Client(
    { name: 'consent-bridge-init', version },
    { versionNegotiation: { mode: 'auto' }, capabilities: CLAIMED },
  );
  const options = { timeout: LOOK_MS };
  try {
    await client.connect(transportTo(upstream, directory), options);
    const capabilities = client.getServerCapabilities();
    const tools =
      capabilities?.tools === undefined ? [] : (await client.listTools({}, options)).tools;
    return {
      tools: tools.map(({ name, annotations }) => ({
        name,
        readOnly: annotations?.readOnlyHint === true,
        destructive: annotations?.destructiveHint === true,
      })),
      resources: capabilities?.resources !== undefined,
      prompts: capabilities?.prompts !== undefined,
    };
  } finally {
    await client.close().catch(() => undefined);
  }
}

function transportTo(
  { command, args = [], env = {}, cwd, url, headers = {} }: Upstream,
  directory: string,
): StdioClientTransport | StreamableHTTPClientTransport {
  const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, withVariables(value, process.env)]),
    );
  if (url !== undefined)
    return new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: filled(headers) },
    });
  return new StdioClientTransport({
    command: command ?? '',
    args: [...args],
    env: { ...getDefaultEnvironment(), ...filled(env) },
    cwd: cwd ?? directory,
    stderr: 'ignore',
  });
}
