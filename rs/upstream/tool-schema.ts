/** Checking arguments against the schema of an upstream: whatever it says, it costs bounded time and loads nothing. */
import type { JsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { createContext, Script } from 'node:vm';
import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject, JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import { pathOf } from '../../src/contract/path.js';
import { canTakeLong } from '../../src/contract/schema-cost.js';

/** Milliseconds. A pattern can be written so that some text takes for ever. */
const MAX_CHECK_MS = 1000;
const MAX_COMPILE_MS = 5000;

/**
 * Why a schema is not used, if it is not.
 * External references are never followed, and `$async` would make every answer a yes.
 */
export function schemaFault(schema: JsonValue): string | undefined {
  if (Array.isArray(schema)) return schema.map(schemaFault).find((fault) => fault !== undefined);
  if (!isJsonObject(schema)) return undefined;
  for (const name of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#'))
      return 'a schema refers outside itself';
  }
  if (Object.hasOwn(schema, '$async')) return 'a schema is asynchronous';
  return Object.values(schema)
    .map(schemaFault)
    .find((fault) => fault !== undefined);
}

/** @throws Error if the schema cannot be compiled; the validator does, if a check takes too long */
export function compileSchema(schema: JsonObject): JsonSchemaValidator<unknown> {
  // An engine of its own: in a shared one a schema could go by the `$id` of another.
  const validate: JsonSchemaValidator<unknown> = inTime(MAX_COMPILE_MS, () =>
    new AjvJsonSchemaValidator().getValidator(schema),
  );
  return canTakeLong(schema) ? (args) => inTime(MAX_CHECK_MS, () => validate(args)) : validate;
}

/**
 * @throws Refusal MalformedRequest with the path of the argument; Unavailable if it takes too long to say, as on a machine
 *   that is too busy
 */
export function checkArguments(validate: JsonSchemaValidator<unknown>, args: JsonObject): void {
  let fault: string | undefined;
  try {
    fault = validate(args).errorMessage;
  } catch {
    throw new Refusal('Unavailable', 'rs', { detail: 'checking the arguments took too long' });
  }
  if (fault === undefined) return;
  throw new Refusal('MalformedRequest', 'rs', { path: pathIn(fault), detail: fault });
}

/** ajv says `data/a/0 must be …`; a missing or an additional member is named by its text alone. */
function pathIn(fault: string): string {
  const [first = ''] = fault.split(', data');
  const pointer = /^data((?:\/\S+?)*) must /.exec(first)?.[1] ?? '';
  const missing = /required property '(.*)'$/.exec(first)?.[1];
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
  const named = missing === undefined ? steps : [...steps, missing];
  return pathOf(['args', ...named.map((step) => (/^\d+$/.test(step) ? Number(step) : step))]);
}

const room: { task?: () => unknown } = createContext({});
const runTask = new Script('task()');

/** Calls `task` and ends it with an error after so many milliseconds, even in the middle of a regular expression. */
function inTime<T>(ms: number, task: () => T): T {
  const results: T[] = [];
  room.task = () => results.push(task());
  runTask.runInContext(room, { timeout: ms });
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return result;
}
