import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Catalogue, OfferedTool } from '../dispatcher/catalogue.js';
import type { Connection } from './connection.js';
import { type CommandPorts, runCommand } from './run-command.js';
import { admitsRefusals, toolResult } from './tool-result.js';

export interface CallToolPorts extends CommandPorts {
  readonly catalogue: Pick<Catalogue, 'list'>;
}

/** `tools/call` for both eras. */
export async function callTool(
  { params }: CallToolRequest,
  ctx: ServerContext,
  connection: Connection,
  ports: CallToolPorts,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = await offeredAs(params.name, ports);
  const request = {
    command: params.name,
    args: params.arguments ?? {},
    fallback: tool?.policy.fallback,
  };
  const answer = await runCommand(request, ctx, connection, ports);
  return 'input' in answer
    ? answer.input
    : toolResult(answer.outcome, tool === undefined || admitsRefusals(tool));
}

/** The tool as this client sees it, if it does. What is wrong with a call is for the dispatcher to say. */
async function offeredAs(
  name: string,
  { catalogue }: CallToolPorts,
): Promise<OfferedTool | undefined> {
  const tools = await catalogue.list().catch(() => []);
  return tools.find(({ definition }) => definition.name === name);
}
