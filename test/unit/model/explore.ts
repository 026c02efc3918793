/** Breadth-first search through every state a small model can reach; what it finds first is a shortest way there. */

export interface Move<S> {
  readonly label: string;
  readonly to: S;
  /** False for what need not happen: a crash, time passing, a person changing their mind. */
  readonly fair: boolean;
}

export interface Model<S> {
  readonly start: S;
  moves(state: S): readonly Move<S>[];
  /** What is wrong with a state, or with getting from one to the next; undefined if nothing is. */
  fault(state: S, before: S | undefined): string | undefined;
  /** States from which {@link isReached} must stay possible by fair moves alone. */
  owes(state: S): boolean;
  isReached(state: S): boolean;
}

export interface Finding<S> {
  readonly fault: string;
  /** Labels of the moves, from the start. */
  readonly trace: readonly string[];
  readonly state: S;
}

export interface Exploration<S> {
  readonly states: number;
  readonly moves: number;
  readonly finding: Finding<S> | undefined;
}

interface Seen<S> {
  readonly state: S;
  readonly from: number;
  readonly label: string;
}

/** @throws Error if there are more than `limit` states: then nothing was shown. */
export function explore<S>(model: Model<S>, limit = 2_000_000): Exploration<S> {
  const seen: Seen<S>[] = [{ state: model.start, from: -1, label: '' }];
  const index = new Map<string, number>([[JSON.stringify(model.start), 0]]);
  /** Fair moves backwards: who can come to a state. */
  const comesFrom: number[][] = [[]];
  let moves = 0;
  const found = (at: number, fault: string): Exploration<S> => ({
    states: seen.length,
    moves,
    finding: { fault, trace: traceTo(seen, at), state: seen[at]!.state },
  });

  for (let at = 0; at < seen.length; at += 1) {
    const { state } = seen[at]!;
    for (const { label, to, fair } of model.moves(state)) {
      moves += 1;
      const key = JSON.stringify(to);
      let next = index.get(key);
      if (next === undefined) {
        next = seen.push({ state: to, from: at, label }) - 1;
        if (next >= limit) throw new Error(`more than ${limit} states`);
        index.set(key, next);
        comesFrom.push([]);
      }
      if (fair) comesFrom[next]!.push(at);
      const fault = model.fault(to, state);
      if (fault !== undefined) return found(next, fault);
    }
  }

  const stuck = firstStuck(model, seen, comesFrom);
  return stuck === undefined
    ? { states: seen.length, moves, finding: undefined }
    : found(stuck, 'nothing but luck gets it done');
}

/** The first state that owes an end it cannot come to any more. */
function firstStuck<S>(
  model: Model<S>,
  seen: readonly Seen<S>[],
  comesFrom: readonly (readonly number[])[],
): number | undefined {
  const good = new Set(seen.flatMap(({ state }, at) => (model.isReached(state) ? [at] : [])));
  const waiting = [...good];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const before of comesFrom[at]!) {
      if (good.has(before)) continue;
      good.add(before);
      waiting.push(before);
    }
  }
  const stuck = seen.findIndex(({ state }, at) => model.owes(state) && !good.has(at));
  return stuck === -1 ? undefined : stuck;
}

function traceTo<S>(seen: readonly Seen<S>[], at: number): string[] {
  const trace: string[] = [];
  for (let here = seen[at]!; here.from !== -1; here = seen[here.from]!) trace.unshift(here.label);
  return trace;
}
