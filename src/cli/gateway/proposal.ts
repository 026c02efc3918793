import { stringify } from 'yaml';
import { displayText } from '../../contract/display.js';
import type { Seen, SeenTool } from './look.js';
import type { Upstream } from './schema.js';

export interface Proposal {
  readonly name: string;
  readonly upstream: Upstream;
  /** Undefined when the server could not be reached. */
  readonly seen: Seen | undefined;
}

const HEAD = `# consent-bridge: which MCP servers stand behind the gateway, and what needs a signature.
# \`bridge config check\` explains what is wrong here; \`bridge config schema\` prints the JSON Schema for your editor.
# Modes: open runs at once, gated waits for a person's signature, denied is not offered. What no line names is gated.
# The modes below are proposals, made from what the servers say of themselves. They are yours now: nobody reads those
# claims again.
version: 1
upstreams:
`;

/** The configuration file as text. */
export function written(proposals: readonly Proposal[]): string {
  if (proposals.length === 0) return `${HEAD.trimEnd()} {}\n`;
  return HEAD + proposals.map(section).join('');
}

function section({ name, upstream, seen }: Proposal): string {
  const connection = indented(stringify(upstream, { lineWidth: 0 }), 4);
  return `  ${key(name)}:\n${connection}${policy(seen)}`;
}

function policy(seen: Seen | undefined): string {
  if (seen === undefined)
    return "    tools:\n      '*': gated # could not be reached when this was written\n";
  const { tools, resources, prompts } = seen;
  const lines = [
    ...(tools.length === 0 ? [] : ['tools:', ...tools.map((tool) => `  ${line(tool)}`)]),
    ...(resources ? ['resources: open # what it lists can be read'] : []),
    ...(prompts ? ['prompts: open'] : []),
  ];
  return lines.map((text) => `    ${text}\n`).join('');
}

function line({ name, readOnly, destructive }: SeenTool): string {
  if (readOnly) return `${key(name)}: open # says it only reads`;
  return `${key(name)}: gated${destructive ? ' # says it destroys' : ''}`;
}

/** As YAML writes it, on one line and with nothing invisible in it. */
function key(name: string): string {
  const shown = displayText(name);
  return shown === name ? stringify(name, { lineWidth: 0 }).trim() : JSON.stringify(name);
}

function indented(text: string, by: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(by));
}
