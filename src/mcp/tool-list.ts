import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { OfferedTool } from '../dispatcher/catalogue.js';
import { NOT_DONE_SCHEMA } from './tool-result.js';

/** The offered tools as MCP lists them. A gated tool says so in its description, for the model to read. */
export function listTools(tools: readonly OfferedTool[]): ListToolsResult {
  return { tools: tools.map(toolOf) };
}

function toolOf({ definition, policy }: OfferedTool): Tool {
  const { name, title, annotations } = definition;
  const description = [
    definition.description,
    policy.mode === 'gated' ? 'A person must approve each call.' : undefined,
  ];
  return {
    name,
    ...(title === undefined ? {} : { title }),
    description: description.filter((part) => part !== undefined).join(' '),
    inputSchema: { ...definition.input_schema, type: 'object' },
    ...(definition.output_schema === undefined
      ? {}
      : { outputSchema: { type: 'object', anyOf: [definition.output_schema, NOT_DONE_SCHEMA] } }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}
