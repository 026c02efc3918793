import type { ListToolsResult, Tool } from '@modelcontextprotocol/server';
import type { OfferedTool } from '../dispatcher/catalogue.js';
import type { JsonObject } from '../contract/json.js';
import { NOT_DONE_SCHEMA, admitsRefusals } from './tool-result.js';

/** The offered tools as MCP lists them. A gated tool says so in its description, for the model to read. */
export function listTools(tools: readonly OfferedTool[]): ListToolsResult {
  return { tools: tools.map(toolOf) };
}

function toolOf(offered: OfferedTool): Tool {
  const { definition, policy } = offered;
  const { name, title, annotations, output_schema, more } = definition;
  const description = [
    definition.description,
    policy.mode === 'gated' ? 'A person must approve each call.' : undefined,
  ].filter((part) => part !== undefined);
  return {
    ...more,
    name,
    ...(title === undefined ? {} : { title }),
    ...(description.length === 0 ? {} : { description: description.join(' ') }),
    inputSchema: { ...definition.input_schema, type: 'object' },
    ...(output_schema === undefined
      ? {}
      : { outputSchema: outputSchemaOf(output_schema, offered) }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function outputSchemaOf(
  schema: JsonObject,
  offered: OfferedTool,
): NonNullable<Tool['outputSchema']> {
  return admitsRefusals(offered)
    ? { type: 'object', anyOf: [schema, NOT_DONE_SCHEMA] }
    : { ...schema, type: 'object' };
}
