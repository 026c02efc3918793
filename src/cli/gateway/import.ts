/** Servers out of the configuration files that MCP clients keep. */
import * as z from 'zod';
import type { Upstream } from './schema.js';

const entry = z.looseObject({
  type: z.string().optional(),
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
type Entry = z.infer<typeof entry>;

const servers = z.record(z.string(), entry);
/** `.mcp.json` and Claude Desktop say `mcpServers`, VS Code says `servers`. */
const file = z.union([
  z.looseObject({ mcpServers: servers }).transform(({ mcpServers }) => mcpServers),
  z.looseObject({ servers }).transform(({ servers: named }) => named),
]);

export interface Imported {
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** What was left out or changed, for the operator to read. */
  readonly notes: readonly string[];
}

/** @throws Error in one line when the text is no such file */
export function importServers(name: string, text: string): Imported {
  const found = file.safeParse(parse(name, text));
  if (!found.success)
    throw new Error(
      `${name}: no servers found; it should have \`mcpServers\` (.mcp.json, Claude Desktop) or \`servers\` (VS Code)`,
    );
  const notes: string[] = [];
  const upstreams: Record<string, Upstream> = {};
  for (const [given, server] of Object.entries(found.data)) {
    const upstream = upstreamOf(given, server, notes);
    if (upstream === undefined) continue;
    const own = freeName(given, upstreams);
    if (own !== given) notes.push(`${given} is called ${own}`);
    upstreams[own] = upstream;
  }
  return { upstreams, notes };
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name} is not JSON; if it has comments, take them out`);
  }
}

function upstreamOf(name: string, server: Entry, notes: string[]): Upstream | undefined {
  if (name === 'consent-bridge') {
    notes.push('consent-bridge itself was left out');
    return undefined;
  }
  const { command, args, env, cwd, url, headers, type } = server;
  if (type === 'sse') {
    notes.push(
      `${name} was left out: the SSE transport of 2024-11-05 is not supported; use its Streamable HTTP URL`,
    );
    return undefined;
  }
  if (command !== undefined) {
    return {
      command: variables(command),
      ...(args === undefined ? {} : { args: args.map(variables) }),
      ...(env === undefined ? {} : { env: mapped(env) }),
      ...(cwd === undefined ? {} : { cwd: variables(cwd) }),
    };
  }
  if (url !== undefined)
    return { url: variables(url), ...(headers === undefined ? {} : { headers: mapped(headers) }) };
  notes.push(`${name} was left out: it has neither \`command\` nor \`url\``);
  return undefined;
}

function mapped(values: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, variables(String(value))]),
  );
}

/** VS Code's `${env:NAME}`, `${input:id}` and `${workspaceFolder}` as ours. A default (`${NAME:-x}`) is taken. */
function variables(text: string): string {
  return text
    .replaceAll(/\$\{workspaceFolder\}/g, '.')
    .replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, '${$1}')
    .replaceAll(/\$\{input:([^}]+)\}/g, (_, id: string) => `\${${variableName(id)}}`)
    .replaceAll(/\$\{[A-Za-z_]\w*:-([^}]*)\}/g, '$1');
}

function variableName(id: string): string {
  return id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_');
}

function freeName(given: string, taken: Readonly<Record<string, unknown>>): string {
  const base =
    given
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 28) || 'server';
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (!Object.hasOwn(taken, name)) return name;
  }
}
