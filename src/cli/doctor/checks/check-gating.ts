import * as z from 'zod';
import type { Finding, Patient } from '../finding.js';
import { orOk, wrong } from '../finding.js';

const table = z.record(
  z.string(),
  z.looseObject({ mode: z.enum(['open', 'gated', 'denied']), scopes: z.array(z.string()) }),
);

/** What the resource server gates, the bridge asks a person for; else every such call fails with ApprovalRequired. */
export function checkGating({ configs }: Patient): readonly Finding[] {
  const [asks, demands] = [
    table.safeParse(configs.bridge['policy']),
    table.safeParse(configs.rs['commands']),
  ];
  if (!asks.success || !demands.success)
    return [
      wrong(
        'bridge policy and rs commands are not both tables of {scopes, mode}',
        'compare them with a fresh data directory',
      ),
    ];
  const problems = Object.entries(demands.data).flatMap(([command, { mode, scopes }]) => {
    const policy = asks.data[command];
    if (mode === 'gated' && policy?.mode === 'open')
      return [
        wrong(
          `${command} is gated by rs but not by the bridge: nobody is asked, and it never runs`,
          `set bridge policy.${command}.mode to gated`,
        ),
      ];
    const missing = scopes.filter(
      (scope) => policy !== undefined && !policy.scopes.includes(scope),
    );
    return missing.map((scope) =>
      wrong(
        `${command} needs ${scope} at rs, which the bridge does not ask for`,
        `add ${scope} to bridge policy.${command}.scopes`,
      ),
    );
  });
  return orOk(problems, 'bridge and rs gate the same commands');
}
