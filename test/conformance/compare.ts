/** What the gateway loses of what a server passes by itself. */
import type { Check, Results } from './run-suite.js';

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
}

/** Best first. A check that is not reported at all has not passed. */
const ORDER = ['SUCCESS', 'WARNING', 'FAILURE'];

export function compare(direct: Results, gateway: Results): readonly ScenarioRow[] {
  return [...new Set([...direct.keys(), ...gateway.keys()])].sort().map((scenario) => {
    const [before, after] = [direct.get(scenario) ?? [], gateway.get(scenario) ?? []];
    const through = numbered(after);
    const lost = [...numbered(before)].flatMap(([check, was]) => {
      const now = through.get(check);
      if (!worse(was, now)) return [];
      return [{ scenario, check, now: now?.status ?? 'missing', why: now?.errorMessage ?? '' }];
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
  const then = ORDER.indexOf(now?.status ?? 'FAILURE');
  return then > rank;
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
