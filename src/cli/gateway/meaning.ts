/** What a schema cannot say about bridge.config.yaml. */
import { matches } from '../../contract/patterns.js';
import type { Finding } from './finding.js';
import { prefixOf } from './prefix.js';
import type { GatewayConfig, Rule, Upstream } from './schema.js';
import { variablesIn } from './variables.js';

export function meaningOf(
  config: GatewayConfig,
  environment: Readonly<Record<string, string | undefined>>,
): readonly Finding[] {
  const named = Object.entries(config.upstreams);
  return [
    ...(named.length === 0 && config.example_tasks !== true ? [nothingToProtect] : []),
    ...named.flatMap(([name, upstream]) => [
      ...transport(name, upstream),
      ...variables(name, upstream, environment),
      ...rules(name, upstream).flatMap(({ path, rule }) => templates(path, rule)),
      ...ties(name, upstream),
    ]),
    ...prefixes(named),
  ];
}

const nothingToProtect: Finding = {
  path: ['upstreams'],
  problem: 'there is no upstream, so there is nothing to protect',
  fix: 'add one with `command` or `url`, or say `example_tasks: true`',
};

function transport(name: string, { command, url, args, env, cwd, headers }: Upstream): Finding[] {
  const path = ['upstreams', name];
  if ((command === undefined) === (url === undefined))
    return [
      {
        path,
        problem:
          command === undefined
            ? 'has neither `command` nor `url`'
            : 'has both `command` and `url`',
        fix: 'give a `command` for a server on stdio, or a `url` for one on Streamable HTTP',
      },
    ];
  const strays = command === undefined ? { args, env, cwd } : { headers };
  return Object.entries(strays).flatMap(([member, value]) =>
    value === undefined
      ? []
      : [
          {
            path: [...path, member],
            problem: `\`${member}\` means nothing with \`${command === undefined ? 'url' : 'command'}\``,
            fix: 'take it out',
          },
        ],
  );
}

function variables(
  name: string,
  upstream: Upstream,
  environment: Readonly<Record<string, string | undefined>>,
): Finding[] {
  return (['env', 'headers'] as const).flatMap((member) =>
    Object.entries(upstream[member] ?? {}).flatMap(([key, value]) =>
      variablesIn(value)
        .filter((variable) => environment[variable] === undefined)
        .map((variable) => ({
          path: ['upstreams', name, member, key],
          problem: `\${${variable}} is not set in the environment`,
          fix: `set ${variable} before \`bridge up\`, or write the value here`,
        })),
    ),
  );
}

function rules(
  name: string,
  { tools = {}, resources, prompts }: Upstream,
): { readonly path: readonly PropertyKey[]; readonly rule: Rule }[] {
  const path = ['upstreams', name];
  const all = [
    ...Object.entries(tools).map(([tool, rule]) => ({ path: [...path, 'tools', tool], rule })),
    { path: [...path, 'resources'], rule: resources },
    { path: [...path, 'prompts'], rule: prompts },
  ];
  return all.flatMap(({ path: at, rule }) =>
    typeof rule === 'object' ? [{ path: at, rule }] : [],
  );
}

function templates(path: readonly PropertyKey[], { mode, message, approvers }: Rule): Finding[] {
  const idle = Object.entries({ message, approvers }).flatMap(([member, value]) =>
    value === undefined || mode === 'gated'
      ? []
      : [
          {
            path: [...path, member],
            problem: `nobody is asked, since the mode is ${mode}`,
            fix: `take \`${member}\` out, or say \`mode: gated\``,
          },
        ],
  );
  const rest = (message ?? '').replaceAll(/\{\{|\}\}|\{[^{}]+\}/g, '');
  if (!/[{}]/.test(rest)) return idle;
  return [
    ...idle,
    {
      path: [...path, 'message'],
      problem: 'a brace stands alone',
      fix: 'write {member} for an argument, {{ and }} for braces',
    },
  ];
}

/** Two patterns of one length that can meet: which one counts would depend on their order. */
function ties(name: string, { tools = {} }: Upstream): Finding[] {
  const patterns = Object.keys(tools).filter((tool) => tool.includes('*'));
  return patterns.flatMap((one, index) =>
    patterns.slice(index + 1).flatMap((other) => {
      if (literals(one) !== literals(other) || !meet(one, other)) return [];
      return [
        {
          path: ['upstreams', name, 'tools', other],
          problem: `matches tools that ${one} matches too, and neither is more specific`,
          fix: `make one of them longer, or add a line for the tools both match`,
        },
      ];
    }),
  );
}

function literals(pattern: string): number {
  return pattern.replaceAll('*', '').length;
}

/** Good for patterns with a star at one end, which is what people write: each is tried on the other's shortest match. */
function meet(one: string, other: string): boolean {
  const joined = [one + other, other + one].map((text) => text.replaceAll('*', ''));
  return joined.some((text) => matches(one, text) && matches(other, text));
}

function prefixes(named: readonly (readonly [string, Upstream])[]): Finding[] {
  return named.flatMap(([name, upstream], index) =>
    named.slice(0, index).flatMap(([other, otherUpstream]) => {
      const [one, two] = [prefixOf(name, upstream), prefixOf(other, otherUpstream)];
      if (!one.startsWith(two) && !two.startsWith(one)) return [];
      return [
        {
          path: ['upstreams', name, 'prefix'],
          problem: `“${one}” and the prefix “${two}” of ${other} can give two tools one name`,
          fix: 'choose prefixes of which none begins with another',
        },
      ];
    }),
  );
}
