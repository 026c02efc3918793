/** The tools the scenarios of `@modelcontextprotocol/conformance` call, each doing what its scenario says it must. */
import type { McpServer } from '@modelcontextprotocol/server';
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
  fromJsonSchema,
  inputRequired,
} from '@modelcontextprotocol/server';
import { AUDIO, IMAGE, enumForm, form, sample } from './everything-content.js';

export type State = { readonly round: number };
type Args = Readonly<Record<string, unknown>>;
type Answer = CallToolResult | InputRequiredResult;
type Run = (args: Args, ctx: ServerContext) => Answer | Promise<Answer>;

interface Tool {
  readonly description: string;
  readonly schema?: object;
  readonly run: Run;
}

/** What tools can do to the server itself. */
export interface Levers {
  readonly states: RequestStateCodec<State>;
  /** Of the client that calls. */
  readonly capabilities: () => ClientCapabilities;
  readonly toggleTool: () => void;
  readonly togglePrompt: () => void;
}

export function registerTools(server: McpServer, levers: Levers): void {
  const tools: Readonly<Record<string, Tool>> = {
    ...contentTools,
    ...talkingTools,
    ...askingTools,
    ...statefulTools(levers),
    ...changingTools(levers),
  };
  for (const [name, { description, schema, run }] of Object.entries(tools)) {
    const inputSchema = fromJsonSchema<Args>(schema ?? NO_ARGUMENTS);
    server.registerTool(name, { description, inputSchema }, run);
  }
}

const NO_ARGUMENTS = { type: 'object', properties: {} };
const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] });
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const oneText = (name: string): object => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
});

const mixedResource = {
  uri: 'test://mixed-content-resource',
  mimeType: 'application/json',
  text: '{"test":"data","value":123}',
};

const contentTools: Readonly<Record<string, Tool>> = {
  test_simple_text: {
    description: 'Answers with text',
    run: () => text('This is a simple text response for testing.'),
  },
  test_image_content: { description: 'Answers with an image', run: () => ({ content: [IMAGE] }) },
  test_audio_content: { description: 'Answers with a sound', run: () => ({ content: [AUDIO] }) },
  test_embedded_resource: {
    description: 'Answers with a resource',
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    description: 'Answers with text, an image and a resource',
    run: () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        IMAGE,
        { type: 'resource', resource: mixedResource },
      ],
    }),
  },
  test_error_handling: {
    description: 'Fails',
    run: () => ({
      ...text('This tool intentionally returns an error for testing'),
      isError: true,
    }),
  },
  json_schema_2020_12_tool: {
    description: 'Tool with JSON Schema 2020-12 features',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: (args) => text(JSON.stringify(args)),
  },
  test_header_parameter: {
    description: 'Takes a parameter that also travels in a header (SEP-2243)',
    schema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: ({ region }) => text(String(region)),
  },
};

const log = (ctx: ServerContext, words: string): Promise<void> =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what the scenarios test
  ctx.mcpReq.log('info', words);

const talkingTools: Readonly<Record<string, Tool>> = {
  test_tool_with_logging: {
    description: 'Logs while it runs',
    run: async (_args, ctx) => {
      await log(ctx, 'Tool execution started');
      await pause();
      await log(ctx, 'Tool processing data');
      await pause();
      await log(ctx, 'Tool execution completed');
      return text('done');
    },
  },
  test_logging_tool: {
    description: 'Logs one line',
    run: async (_args, ctx) => {
      await log(ctx, 'one line');
      return text('done');
    },
  },
  test_tool_with_progress: {
    description: 'Reports progress',
    run: async (_args, ctx) => {
      const { progressToken } = ctx.mcpReq._meta ?? {};
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          });
        await pause();
      }
      return text('done');
    },
  },
  test_reconnection: {
    description: 'Closes the stream of its own request (SEP-1699)',
    run: async (_args, ctx) => {
      ctx.http?.closeSSE?.();
      await pause();
      return text('done');
    },
  },
};

/** Asks once, then answers with what `tell` makes of the answer. What is missing or malformed is asked again. */
function asks(
  key: string,
  request: (args: Args) => InputRequest,
  tell: (answer: Args) => string,
): Run {
  return (args, ctx) => {
    const answer = ctx.mcpReq.inputResponses?.[key];
    if (typeof answer === 'object' && answer !== null && isAnswer(answer as Args))
      return text(tell(answer as Args));
    return inputRequired({ inputRequests: { [key]: request(args) } });
  };
}

/** The shapes of an elicitation's, a sample's and a list of roots. */
function isAnswer(answer: Args): boolean {
  return 'action' in answer || 'content' in answer || 'roots' in answer;
}

const contentOf = (answer: Args): string => JSON.stringify(answer['content'] ?? {});
const elicited = ({ action, ...answer }: Args): string =>
  `action=${String(action)}, content=${contentOf(answer)}`;
const sampled = (answer: Args): string => `LLM response: ${contentOf(answer)}`;
const nameForm = form('What is your name?', { name: { type: 'string' } }, ['name']);
const roots: InputRequest = { method: 'roots/list', params: {} };

const askingTools: Readonly<Record<string, Tool>> = {
  test_sampling: {
    description: 'Asks for a sample',
    schema: oneText('prompt'),
    run: asks('sample', ({ prompt }) => sample(String(prompt)), sampled),
  },
  test_elicitation: {
    description: 'Asks for input',
    schema: oneText('message'),
    run: asks(
      'input',
      ({ message }) => form(String(message), { response: { type: 'string' } }, ['response']),
      (answer) => `User response: ${elicited(answer)}`,
    ),
  },
  test_elicitation_sep1034_defaults: {
    description: 'Asks for input with defaults',
    run: asks(
      'input',
      () =>
        form('Please review', {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        }),
      (answer) => `Elicitation completed: ${elicited(answer)}`,
    ),
  },
  test_elicitation_sep1330_enums: {
    description: 'Asks for choices',
    run: asks(
      'input',
      () => enumForm,
      (answer) => `Elicitation completed: ${elicited(answer)}`,
    ),
  },
  test_streaming_elicitation: {
    description: 'Asks for input',
    run: asks('input', () => nameForm, elicited),
  },
  test_input_required_result_elicitation: {
    description: 'Asks for a name',
    run: asks(
      'user_name',
      () => nameForm,
      (answer) => `Hello, ${contentOf(answer)}!`,
    ),
  },
  test_input_required_result_sampling: {
    description: 'Asks for a capital',
    run: asks('capital_question', () => sample('What is the capital of France?'), sampled),
  },
  test_input_required_result_list_roots: {
    description: 'Asks for roots',
    run: asks(
      'client_roots',
      () => roots,
      (answer) => JSON.stringify(answer['roots'] ?? []),
    ),
  },
  test_missing_capability: {
    description: 'Cannot work without sampling',
    run: asks('greeting', () => sample('Generate a greeting'), sampled),
  },
};

function statefulTools({ states, capabilities }: Levers): Readonly<Record<string, Tool>> {
  const confirm = form('Please confirm', { ok: { type: 'boolean' } }, ['ok']);
  const confirmed: Run = async (_args, ctx) => {
    if (ctx.mcpReq.requestState<State>() !== undefined) return text('state-ok');
    const requestState = await states.mint({ round: 1 }, ctx);
    return inputRequired({ inputRequests: { confirm }, requestState });
  };
  return {
    test_input_required_result_capabilities: {
      description: 'Asks for what the client can answer',
      run: (_args, ctx) => {
        const { elicitation, sampling } = capabilities();
        const inputRequests = {
          ...(elicitation === undefined ? {} : { user_name: nameForm }),
          ...(sampling === undefined ? {} : { greeting: sample('Generate a greeting') }),
        };
        const answered = Object.keys(ctx.mcpReq.inputResponses ?? {}).length > 0;
        const nothing = Object.keys(inputRequests).length === 0;
        return answered || nothing ? text('done') : inputRequired({ inputRequests });
      },
    },
    test_input_required_result_request_state: { description: 'Keeps state', run: confirmed },
    test_input_required_result_tampered_state: { description: 'Seals state', run: confirmed },
    test_input_required_result_multiple_inputs: {
      description: 'Asks three things at once',
      run: async (_args, ctx) => {
        const { user_name, greeting, client_roots } = ctx.mcpReq.inputResponses ?? {};
        if (![user_name, greeting, client_roots].includes(undefined)) return text('done');
        return inputRequired({
          inputRequests: {
            user_name: nameForm,
            greeting: sample('Generate a greeting', 50),
            client_roots: roots,
          },
          requestState: await states.mint({ round: 1 }, ctx),
        });
      },
    },
    test_input_required_result_multi_round: {
      description: 'Asks twice',
      run: async (_args, ctx) => {
        const { round = 0 } = ctx.mcpReq.requestState<State | undefined>() ?? {};
        if (round === 2) return text('done');
        const next = round + 1;
        const step =
          next === 1
            ? form('Step 1: What is your name?', { name: { type: 'string' } }, ['name'])
            : form('Step 2: What is your favorite color?', { color: { type: 'string' } }, [
                'color',
              ]);
        return inputRequired({
          inputRequests: { [`step${next}`]: step },
          requestState: await states.mint({ round: next }, ctx),
        });
      },
    },
  };
}

function changingTools({ toggleTool, togglePrompt }: Levers): Readonly<Record<string, Tool>> {
  const changes = (what: string, toggle: () => void): Tool => ({
    description: `Changes the list of ${what}`,
    run: () => {
      toggle();
      return text('changed');
    },
  });
  return {
    test_trigger_tool_change: changes('tools', toggleTool),
    test_trigger_prompt_change: changes('prompts', togglePrompt),
  };
}
