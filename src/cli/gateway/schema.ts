/** bridge.config.yaml: which MCP servers stand behind the gateway, and what needs a signature. */
import * as z from 'zod';

const text = (max: number) => z.string().min(1).max(max);
const scopes = z
  .array(text(128).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be an OAuth scope (no spaces)'))
  .max(64);
const approvers = z.array(text(256)).min(1).max(16);
const ttl = z.int().min(10).max(600);
const fallback = z.enum(['result', 'hold', 'refuse']);
const mode = z.enum(['open', 'gated', 'denied']);
const milliseconds = z.int().min(100).max(3_600_000);

const rule = z.strictObject({
  mode: mode.describe('open: runs at once. gated: a person signs each call. denied: not offered.'),
  scopes: scopes.optional().describe('OAuth scopes a caller needs, all of them'),
  message: text(500)
    .optional()
    .describe('The sentence the approver signs, with {member} placeholders over the arguments'),
  approvers: approvers
    .optional()
    .describe('Who may approve; the first is asked. subject: the person the caller acts for'),
  ttl_seconds: ttl.optional().describe('How long the approver has'),
  fallback: fallback
    .optional()
    .describe(
      'What a client that cannot open links gets: a result to act on, a held call, or a refusal',
    ),
});
export type Rule = z.infer<typeof rule>;

const ruleOrMode = z.union([mode, rule]);

const limits = {
  start_timeout_ms: milliseconds.optional(),
  call_timeout_ms: milliseconds.optional(),
  max_call_ms: milliseconds.optional(),
  idle_ms: milliseconds.optional(),
  max_result_bytes: z.int().min(1024).max(33_554_432).optional(),
  max_lanes: z.int().min(1).max(1024).optional(),
  list_with: z
    .array(z.enum(['sampling', 'elicitation', 'roots']))
    .optional()
    .describe(
      'What to claim when listing: some servers offer tools only to clients that can be asked',
    ),
};

const upstream = z.strictObject({
  command: text(4096).optional().describe('A program that speaks MCP on stdio'),
  args: z.array(z.string().max(4096)).max(256).optional(),
  env: z
    .record(z.string(), z.string().max(32_768))
    .optional()
    .describe('Its environment; ${NAME} takes a value from the environment of `bridge up`'),
  cwd: text(4096).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('A Streamable HTTP endpoint'),
  headers: z
    .record(z.string(), z.string().max(8192))
    .optional()
    .describe('Sent with every request; ${NAME} as in env'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{0,64}$/, 'takes letters, digits, _ . and -')
    .optional()
    .describe('Stands before the names of its tools and prompts; by default its name and __'),
  tools: z
    .record(z.string(), ruleOrMode)
    .optional()
    .describe(
      'By tool name, or pattern with *; the one with the most literal characters counts. What no line names is gated.',
    ),
  resources: ruleOrMode.optional().describe('Reading its resources; gated unless said'),
  prompts: ruleOrMode.optional().describe('Getting its prompts; gated unless said'),
  ...limits,
});
export type Upstream = z.infer<typeof upstream>;

export const gatewayConfig = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  port_base: z.int().min(1024).max(65_532).optional().describe('The first of four ports in a row'),
  caller: z
    .strictObject({
      subject: text(256).describe('The person in front of this machine'),
      client_id: text(256).optional(),
    })
    .optional()
    .describe('For whom the local development token acts'),
  approvers: approvers
    .optional()
    .describe('Who may approve what no rule says; [subject] unless said'),
  ttl_seconds: ttl.optional().describe('How long an approver has; 300 unless said'),
  fallback: fallback.optional(),
  oauth: z
    .looseObject({})
    .optional()
    .describe('The MCP endpoint as an OAuth protected resource; see README'),
  example_tasks: z.boolean().optional().describe('Offer the example task tracker as well'),
  upstreams: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'takes a-z, 0-9 and -, at most 32 characters'),
      upstream,
    )
    .describe('MCP servers by name'),
});
export type GatewayConfig = z.infer<typeof gatewayConfig>;

/** The published JSON Schema, by which editors complete and check the file. */
export function gatewayJsonSchema(): object {
  return { title: 'bridge.config.yaml', ...z.toJSONSchema(gatewayConfig, { io: 'input' }) };
}
