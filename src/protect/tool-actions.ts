import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActionOutcome, Actions } from '../../rs/actions/actions.js';
import type { ConsumedAction, OpenAction } from '../../rs/states.js';
import type { JsonObject } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';
import type { ToolDefinition } from '../contract/wire.js';

/** A tool's own code. It gets the very arguments that were signed, frozen at every level. */
export type Handler<Context> = (args: JsonObject, context: Context) => unknown;

interface Registered<Context> {
  readonly definition: ToolDefinition;
  readonly handler: Handler<Context>;
}

const MAX_MESSAGE = 500;

/** The tools of one MCP server as what the resource server can run. */
export class ToolActions<Context> implements Actions {
  private readonly tools = new Map<string, Registered<Context>>();
  private readonly contexts = new AsyncLocalStorage<Context>();

  get definitions(): readonly ToolDefinition[] {
    return [...this.tools.values()].map(({ definition }) => definition);
  }

  register(definition: ToolDefinition, handler: Handler<Context>): void {
    this.tools.set(definition.name, { definition, handler });
  }

  /** What is run inside `call` gets this context. */
  within<T>(context: Context, call: () => Promise<T>): Promise<T> {
    return this.contexts.run(context, call);
  }

  has(command: string): Promise<boolean> {
    return Promise.resolve(this.tools.has(command));
  }

  /** A tool of this very program is what it is. */
  isChanged(): boolean {
    return false;
  }

  /** The SDK checked them against the tool's schema when the call came in. */
  checkInput(): void {}

  ready(): Promise<void> {
    return Promise.resolve();
  }

  async run(action: ConsumedAction | OpenAction): Promise<ActionOutcome> {
    const tool = this.tools.get(action.command);
    if (tool === undefined) throw new Error(`${action.command} is not registered`);
    try {
      const context = this.contexts.getStore() as Context;
      const result = asJson(await tool.handler(action.args, context));
      if (result['isError'] !== true) return { status: 'success', result };
      return { status: 'failure', error: { code: 'ToolFailed', message: textOf(result) }, result };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const result = { isError: true, content: [{ type: 'text', text: message }] };
      return { status: 'failure', error: { code: 'ToolFailed', message: cut(message) }, result };
    }
  }
}

/** As it will be on the wire. @throws Error when it is not a tool result */
function asJson(result: unknown): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(result ?? null));
  if (!isJsonObject(json)) throw new Error('the tool did not return a result object');
  if (json['resultType'] === 'input_required')
    throw new Error('a gated tool cannot ask for input: its call is already signed');
  return json;
}

function textOf({ content }: JsonObject): string {
  const [first] = Array.isArray(content) ? (content as JsonObject[]) : [];
  return cut(typeof first?.['text'] === 'string' ? first['text'] : 'The tool reported an error');
}

function cut(text: string): string {
  return text.slice(0, MAX_MESSAGE);
}
