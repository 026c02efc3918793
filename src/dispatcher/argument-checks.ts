import { type JsonSchemaType, fromJsonSchema } from '@modelcontextprotocol/server';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { ToolDefinition } from '../contract/wire.js';

type Check = (args: JsonObject) => void;

const MAX_KEPT = 10_000;

/** Checks of arguments against the schemas of tools. A schema is compiled when it is first used, and once. */
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

function compile(input: JsonObject): Check {
  const schema = fromJsonSchema(input as JsonSchemaType);
  return (args) => {
    const checked = schema['~standard'].validate(args);
    if (checked instanceof Promise)
      throw new Refusal('Internal', 'dispatcher', { detail: 'asynchronous schema' });
    const issue = checked.issues?.[0];
    if (issue === undefined) return;
    throw new Refusal('MalformedRequest', 'dispatcher', { path: `args: ${issue.message}` });
  };
}
