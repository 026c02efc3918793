/** Tool definitions as an upstream lists them: taken exactly as they are, or left out with a reason. Never mended. */
import { isSpecType } from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../src/contract/canonical.js';
import type { JsonObject, JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { SeenTool } from '../store/pins.js';
import { cleanObject } from './clean-json.js';
import { compileSchema, schemaFault } from './tool-schema.js';

const NAME = /^[A-Za-z0-9_.\-/]{1,128}$/;
const PINNED: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
]);
const MAX_DESCRIPTION_BYTES = 20_000;
const MAX_DEFINITION_BYTES = 65_536;

export interface ListedTool extends SeenTool {
  /** Members that are neither pinned nor judged: `icons`, `_meta`, `execution`. */
  readonly more: JsonObject | undefined;
}
export interface LeftOut {
  /** As much of its name as it is safe to keep. */
  readonly name: string;
  readonly reason: string;
}

export function takeTool(raw: unknown): ListedTool | LeftOut {
  const tool = isJsonObject(raw) ? raw : {};
  const name = typeof tool['name'] === 'string' ? tool['name'] : '';
  const leave = (reason: string): LeftOut => ({ name: name.slice(0, 128), reason });
  if (!NAME.test(name)) return leave('its name is not 1 to 128 of A-Z a-z 0-9 _ . - /');
  if (cleanObject(tool) === undefined)
    return leave('it is too deep, or holds text or numbers that cannot be passed on');
  if (!isSpecType.Tool(tool)) return leave('it is not a tool as MCP defines one');
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  const definition = definitionOf({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  });
  const more = Object.fromEntries(Object.entries(tool).filter(([member]) => !PINNED.has(member)));
  if (bytes(description ?? '') > MAX_DESCRIPTION_BYTES)
    return leave('its description is over 20 kB');
  const text = canonical(definition);
  if (text === undefined) return leave('its definition is nested too deep');
  if (bytes(text) + bytes(JSON.stringify(more)) > MAX_DEFINITION_BYTES)
    return leave('it is over 64 kB');
  const fault = schemaFault(definition) ?? compileFault(definition);
  if (fault !== undefined) return leave(fault);
  const digest = createHash('sha256').update(text).digest('base64url');
  const kept = Object.keys(more).length === 0 ? undefined : cleanObject(more);
  return { tool: name, digest, definition, more: kept };
}

/** The members that are pinned, as the digest covers them. Absent ones are absent. */
function definitionOf(tool: {
  readonly name: string;
  readonly title: unknown;
  readonly description: unknown;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly annotations: unknown;
}): JsonObject {
  const { name, title, description } = tool;
  const members: readonly (readonly [string, unknown])[] = [
    ['name', name],
    ['title', title],
    ['description', description],
    ['input_schema', tool.inputSchema],
    ['output_schema', tool.outputSchema],
    ['annotations', tool.annotations],
  ];
  const present = members.filter(
    (member): member is readonly [string, JsonValue] => member[1] !== undefined,
  );
  return Object.fromEntries(present);
}

function canonical(definition: JsonObject): string | undefined {
  try {
    return canonicalJson(definition, 2, 'rs');
  } catch {
    return undefined;
  }
}

function compileFault({ input_schema, output_schema }: JsonObject): string | undefined {
  try {
    for (const schema of [input_schema, output_schema])
      if (isJsonObject(schema)) compileSchema(schema);
    return undefined;
  } catch {
    return 'a schema cannot be compiled';
  }
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
