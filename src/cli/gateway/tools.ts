import * as z from 'zod';
import { displayText } from '../../contract/display.js';
import { mostSpecific } from '../../contract/patterns.js';
import { domainDir, readJson } from '../data-directory.js';
import { askDomain } from '../domain-command.js';
import { join } from 'node:path';

const pinned = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      upstream: z.string(),
      state: z.string(),
      annotations: z.looseObject({ readOnlyHint: z.unknown().optional() }).optional(),
    }),
  ),
});
const policy = z.looseObject({
  commands: z.record(z.string(), z.looseObject({ mode: z.string() })),
});

/** Every tool ever seen: whether it is as accepted, what the policy says, and what its own claims would propose. */
export async function listTools(data: string, json: boolean): Promise<string> {
  const { tools } = pinned.parse(await askDomain(data, 'rs', ['tools']));
  const { commands } = policy.parse(readJson(join(domainDir(data, 'rs'), 'config.json')));
  const table = new Map(Object.entries(commands));
  const rows = tools.map(({ name, upstream, state, annotations }) => ({
    ...{ tool: name, upstream, state },
    mode: mostSpecific(table, name)?.mode ?? 'gated',
    proposal: annotations?.readOnlyHint === true ? 'open' : 'gated',
  }));
  if (json) return `${JSON.stringify({ tools: rows })}\n`;
  if (rows.length === 0) return 'no tool of an upstream server was seen yet\n';
  const header = { tool: 'tool', mode: 'mode', state: 'state', proposal: 'its own claim proposes' };
  const width = Math.max(...rows.map(({ tool }) => displayText(tool).length), 4);
  return [header, ...rows]
    .map(({ tool, mode, state, proposal }) =>
      `${displayText(tool).padEnd(width)}  ${mode.padEnd(6)}  ${state.padEnd(8)}  ${proposal}`.trimEnd(),
    )
    .join('\n')
    .concat('\n');
}
