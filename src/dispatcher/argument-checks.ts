import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import { canTakeLong } from '../contract/schema-cost.js';
import type { ToolDefinition } from '../contract/wire.js';
import { inTime } from './in-time.js';

type Check = (args: JsonObject) => void;

const MAX_KEPT = 10_000;
/** Milliseconds. */
const MAX_COMPILE_MS = 2000;
const MAX_CHECK_MS = 500;

/**
 * Checks of arguments against the schemas of tools, so that nobody is asked for what cannot run. A schema is compiled when
 * it is first used, and once. The resource server checks again, with its own engine.
 */
export class ArgumentChecks {
  private readonly compiled = new Map<string, Check>();

  of(definition: ToolDefinition): Check {
    return (args) => this.checkOf(definition)(args);
  }

  private checkOf({ input_schema }: ToolDefinition): Check {
    const text = JSON.stringify(input_schema);
    const known = this.compiled.get(text);
    if (known !== undefined) return known;
    const check = compile(input_schema);
    this.compiled.set(text, check);
    if (this.compiled.size > MAX_KEPT)
      this.compiled.delete(this.compiled.keys().next().value ?? '');
    return check;
  }
}

/** An engine of its own for each schema: in a shared one a schema could go by the `$id` of another. */
function compile(schema: JsonObject): Check {
  const checkMs = canTakeLong(schema) ? MAX_CHECK_MS : undefined;
  let validate = within(MAX_COMPILE_MS, () => new AjvJsonSchemaValidator().getValidator(schema));
  return (args) => {
    const checked = validate && within(checkMs, () => validate?.(args));
    if (checked === undefined) validate = undefined;
    if (checked?.errorMessage === undefined) return;
    throw new Refusal('MalformedRequest', 'dispatcher', { path: `args: ${checked.errorMessage}` });
  };
}

/** Undefined when it took too long, or could not be done: then nobody is refused here, and the resource server decides. */
function within<T>(ms: number | undefined, task: () => T): T | undefined {
  try {
    return ms === undefined ? task() : inTime(ms, task);
  } catch {
    return undefined;
  }
}
