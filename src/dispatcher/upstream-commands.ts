/** Reading a resource and getting a prompt of an upstream server, as commands: gated, scoped and signed like tools. */
import type { Surface, ToolDefinition } from '../contract/wire.js';

type Upstream = Surface['upstreams'][number];

/** Command that reads a resource of an upstream; its arguments are `{uri}`. */
export function resourceCommand(upstream: string): string {
  return `${upstream}:resources/read`;
}

/** Command that gets a prompt of an upstream; its arguments are `{name, arguments}`. */
export function promptCommand(upstream: string): string {
  return `${upstream}:prompts/get`;
}

/** Definitions of these commands for the upstreams that have resources or prompts. */
export function upstreamCommands(upstreams: readonly Upstream[]): readonly ToolDefinition[] {
  return upstreams.flatMap(({ name, capabilities }) => [
    ...(capabilities?.['resources'] === undefined ? [] : [readResource(name)]),
    ...(capabilities?.['prompts'] === undefined ? [] : [getPrompt(name)]),
  ]);
}

function readResource(upstream: string): ToolDefinition {
  return {
    name: resourceCommand(upstream),
    title: `Read a resource of ${upstream}`,
    input_schema: {
      type: 'object',
      properties: { uri: { type: 'string' } },
      required: ['uri'],
      additionalProperties: false,
    },
    upstream,
  };
}

function getPrompt(upstream: string): ToolDefinition {
  return {
    name: promptCommand(upstream),
    title: `Get a prompt of ${upstream}`,
    input_schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        arguments: { type: 'object', additionalProperties: { type: 'string' } },
      },
      required: ['name', 'arguments'],
      additionalProperties: false,
    },
    upstream,
  };
}
