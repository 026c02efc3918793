/** The task tracker as plain functions: no consent, no states. Tier 1 calls these; the server goes through TaskActions. */
import * as z from 'zod';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { ToolDefinition } from '../../src/contract/wire.js';
import { readAs } from '../read-body.js';
import type { ActionOutcome } from './actions.js';
import type { TaskStore } from './task-store.js';
import { TASK_TOOLS } from './task-tools.js';

/** The tools as MCP describes them, from the same schemas that check the arguments. */
export const taskDefinitions: readonly ToolDefinition[] = [...TASK_TOOLS].map(([name, tool]) => ({
  name,
  title: tool.title,
  description: tool.description,
  input_schema: jsonSchemaOf(tool.input),
  output_schema: jsonSchemaOf(tool.output),
  annotations: { ...tool.annotations },
}));

/** Made once: building a schema costs some twenty times what checking with it does. */
const ARGUMENTS: ReadonlyMap<string, z.ZodType> = new Map(
  [...TASK_TOOLS].map(([name, { input }]) => [name, z.strictObject({ args: input })]),
);

/** @throws Refusal UnknownTool; MalformedRequest with the path of the argument (`args.title`) */
export function checkTaskInput(command: string, args: JsonObject): void {
  readAs(known(ARGUMENTS.get(command)), { args });
}

/** Runs one command on the tasks. @throws Refusal as {@link checkTaskInput}, before anything is changed */
export function runTask(store: TaskStore, command: string, args: JsonObject): ActionOutcome {
  checkTaskInput(command, args);
  return known(TASK_TOOLS.get(command)).run(store, args);
}

function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('UnknownTool', 'rs');
  return found;
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const document: unknown = JSON.parse(JSON.stringify(z.toJSONSchema(schema)));
  if (!isJsonObject(document)) throw new Error('a JSON Schema is an object');
  return document;
}
