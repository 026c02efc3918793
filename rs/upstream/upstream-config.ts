/** One upstream MCP server as the operator configures it: a command this server runs, or a URL it calls. */
import * as z from 'zod';

const text = z.string().min(1).max(4096);
const milliseconds = z.int().min(1).max(86_400_000);

const entry = z.strictObject({
  command: text.optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: text.optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_.\-/]{0,64}$/)
    .optional(),
  start_timeout_ms: milliseconds.default(30_000),
  call_timeout_ms: milliseconds.default(110_000),
  max_call_ms: milliseconds.default(600_000),
  max_result_bytes: z.int().min(1024).max(1_073_741_824).default(16_777_216),
  idle_ms: milliseconds.default(300_000),
  max_lanes: z.int().min(1).max(10_000).default(64),
  /** Client capabilities the list connection claims: some servers offer tools only to clients that can sample. */
  list_with: z.array(z.enum(['sampling', 'elicitation', 'roots'])).default([]),
});

export interface StdioTarget {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** What the operator adds to the child's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}
export interface HttpTarget {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface UpstreamConfig {
  readonly name: string;
  /** Stands before the names of its tools and prompts. */
  readonly prefix: string;
  readonly target: StdioTarget | HttpTarget;
  /** Milliseconds for connecting and listing. */
  readonly startTimeoutMs: number;
  /** Milliseconds without a sign of life, after which a call is given up. */
  readonly callTimeoutMs: number;
  /** Milliseconds after which a call is given up whatever its progress. */
  readonly maxCallMs: number;
  /** Bytes of one message. */
  readonly maxResultBytes: number;
  /** Milliseconds after which an unused lane connection is closed. */
  readonly idleMs: number;
  /** Lane connections open at once. */
  readonly maxLanes: number;
  readonly listWith: readonly ('sampling' | 'elicitation' | 'roots')[];
}

const upstreamName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/);

/** `upstreams` of config.json, in the order they are listed. */
export const upstreams = z
  .record(upstreamName, entry)
  .transform((members, context): readonly UpstreamConfig[] =>
    Object.entries(members).map(([name, one]) => ({
      name,
      prefix: one.prefix ?? `${name}__`,
      target: targetOf(one, (message) =>
        context.addIssue({ code: 'custom', path: [name], message }),
      ),
      startTimeoutMs: one.start_timeout_ms,
      callTimeoutMs: one.call_timeout_ms,
      maxCallMs: one.max_call_ms,
      maxResultBytes: one.max_result_bytes,
      idleMs: one.idle_ms,
      maxLanes: one.max_lanes,
      listWith: one.list_with,
    })),
  );

function targetOf(
  { command, args, env, cwd, url, headers }: z.infer<typeof entry>,
  complain: (message: string) => void,
): StdioTarget | HttpTarget {
  if ((command === undefined) === (url === undefined)) complain('needs either command or url');
  if (url !== undefined && (args ?? env ?? cwd) !== undefined) {
    complain('args, env and cwd are for a command');
  }
  if (command !== undefined && headers !== undefined) complain('headers are for a url');
  return url === undefined
    ? { kind: 'stdio', command: command ?? '', args: args ?? [], env: env ?? {}, cwd }
    : { kind: 'http', url, headers: headers ?? {} };
}
