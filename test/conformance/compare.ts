/** What the gateway loses of what a server passes by itself. */
import type { Check, Results, Revision } from './run-suite.js';

export interface ScenarioRow {
  readonly scenario: string;
  readonly direct: Tally;
  readonly gateway: Tally;
  readonly lost: readonly Loss[];
}

export interface Tally {
  readonly passed: number;
  readonly warned: number;
  readonly failed: number;
}

export interface Loss {
  readonly scenario: string;
  readonly check: string;
  readonly now: string;
  readonly why: string;
  /** Why it is meant to be so. */
  readonly accepted: string | undefined;
}

const ONE_BY_ONE = 'a 2025-11-25 server gives what it asks no names, and asks one thing at a time';
const NO_SUCH_ERROR = '2025-11-25 has no error for a capability that was not declared';
const NO_RESUMPTION =
  'a stream that broke cannot be taken up again, since the gateway keeps nothing for a session; the call can be repeated';

/** By check id, and then by what the upstream speaks where it matters. */
const ACCEPTED: Readonly<Record<string, string>> = {
  'server-sse-priming-event': NO_RESUMPTION,
  'server-sse-retry-field': NO_RESUMPTION,
  'server-sse-disconnect-resume': NO_RESUMPTION,
  'sep-2322-elicitation-incomplete 2025-11-25': ONE_BY_ONE,
  'sep-2322-elicitation-complete 2025-11-25': ONE_BY_ONE,
  'sep-2322-ignore-unexpected-params 2025-11-25': ONE_BY_ONE,
  'sep-2322-multiple-inputs-incomplete 2025-11-25': ONE_BY_ONE,
  'sep-2322-multiple-inputs-complete 2025-11-25': ONE_BY_ONE,
  'sep-2575-server-rejects-undeclared-capability 2025-11-25': NO_SUCH_ERROR,
  'sep-2575-missing-capability-http-400 2025-11-25': NO_SUCH_ERROR,
};

/** Best first. A check that was not made, or not reported, has not passed. */
const ORDER = ['SUCCESS', 'WARNING', 'FAILURE'];

export function compare(
  direct: Results,
  gateway: Results,
  upstream: Revision,
): readonly ScenarioRow[] {
  return [...new Set([...direct.keys(), ...gateway.keys()])].sort().map((scenario) => {
    const [before, after] = [direct.get(scenario) ?? [], gateway.get(scenario) ?? []];
    const through = numbered(after);
    const lost = [...numbered(before)].flatMap(([check, was]) => {
      const now = through.get(check);
      if (!worse(was, now)) return [];
      const why = now?.errorMessage ?? '';
      const accepted = ACCEPTED[was.id] ?? ACCEPTED[`${was.id} ${upstream}`];
      return [{ scenario, check, now: now?.status ?? 'missing', why, accepted }];
    });
    return { scenario, direct: tallyOf(before), gateway: tallyOf(after), lost };
  });
}

export function total(rows: readonly ScenarioRow[], side: 'direct' | 'gateway'): Tally {
  const sum = (member: keyof Tally): number =>
    rows.reduce((all, row) => all + row[side][member], 0);
  return { passed: sum('passed'), warned: sum('warned'), failed: sum('failed') };
}

function worse({ status: was }: Check, now: Check | undefined): boolean {
  const rank = ORDER.indexOf(was);
  if (rank < 0) return false;
  const then = ORDER.indexOf(now?.status ?? 'missing');
  return then < 0 || then > rank;
}

/** One scenario may report one check several times. */
function numbered(checks: readonly Check[]): ReadonlyMap<string, Check> {
  const times = new Map<string, number>();
  return new Map(
    checks.map((check) => {
      const name = check.name === undefined ? check.id : `${check.id} (${check.name})`;
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      return [time === 1 ? name : `${name} #${time}`, check] as const;
    }),
  );
}

function tallyOf(checks: readonly Check[]): Tally {
  const count = (wanted: string): number => checks.filter(({ status }) => status === wanted).length;
  return { passed: count('SUCCESS'), warned: count('WARNING'), failed: count('FAILURE') };
}
