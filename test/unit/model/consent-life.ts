/**
 * The life of one call's consents as a model: a person at the page, two requests of the client that retries and may
 * decline, the bridge (whose next step is the real `nextStep`), the vault's and the resource server's single-use stores,
 * the action itself, crashes of each process between any two durable steps, and time passing. Requests of one bridge and
 * of two bridges on one store look alike: neither knows of the other but through the store.
 */
import type { RefusalCode } from '../../../src/contract/errors.js';
import { isFinal, nextStep } from '../../../src/dispatcher/next-step.js';
import type { Outcome } from '../../../src/dispatcher/outcome.js';
import type { Consent, ConsentState } from '../../../src/store/consents.js';
import type { Model, Move } from './explore.js';

/** What may be broken. The system is the one where nothing is. */
export interface Variant {
  /** The vault's used set is memory. */
  readonly vaultForgets?: true;
  /** The bridge is the attacker's: it sends every credential it gets, and what it tells the caller counts for nothing. */
  readonly bridgeIsTakenOver?: true;
  /** A repeated mint is a replay, whoever repeats it. */
  readonly mintHasNoId?: true;
  /** The resource server looks whether it is used, and marks it used later. */
  readonly rsChecksThenActs?: true;
  /** ... marks it used when the action is done. */
  readonly rsMarksAfterwards?: true;
  /** ... marks the credential and not what was signed. */
  readonly rsKnowsNoHash?: true;
  /** ... takes what was cut off for what never began. */
  readonly rsForgetsStarted?: true;
  /** ... believes the vault, and so does not look at the human's signature. */
  readonly rsTrustsVault?: true;
  /** A decision is written whatever stood there. */
  readonly pageOverwrites?: true;
  /** The client's "accept" is taken for the human's. */
  readonly acceptIsConsent?: true;
  /** The bridge takes a decision it heard of whatever became of the consent meanwhile. */
  readonly takeOverwrites?: true;
  /** A refusal by the resource server is final without a look at whether the action ran before. */
  readonly refusalIsBelieved?: true;
}

const EXP = 10;
/** Before the deadline; at it (within the resource server's tolerance of 30 s); long after it and any cool-down. */
const TIMES = [0, EXP, 100] as const;
const RS_SKEW = 30;
const MAX_CRASHES = 2;
const GENERATIONS = 2;
const REQUESTS = 2;

type Page = 'none' | 'pending' | 'approved' | 'declined' | 'cancelled';
type Result = 'success' | 'indeterminate' | 'by approver' | 'by client' | RefusalCode;
type Run = 'started' | 'success' | 'indeterminate';

/** Where a request is; what it holds was told to it and may be out of date. */
type At =
  | { readonly at: 'idle' | 'loop' }
  | { readonly at: 'propose' | 'tell'; readonly g: number }
  | { readonly at: 'decided'; readonly g: number; readonly page: Page | 'expired' }
  | { readonly at: 'minted'; readonly g: number; readonly said: number | RefusalCode }
  | { readonly at: 'checked' | 'waits'; readonly g: number; readonly jti: number }
  | { readonly at: 'looks'; readonly g: number; readonly jti: number; readonly code: RefusalCode }
  | { readonly at: 'settles'; readonly g: number; readonly result: Result };

/** One generation of the consent: what each domain has on disk about it, and what was really done. */
interface Life {
  /** A human signature over these bytes exists. */
  readonly signed: boolean;
  readonly page: Page;
  readonly row: ConsentState | 'none';
  readonly result?: Result;
  readonly decidedAt?: number;
  readonly told: boolean;
  readonly jti?: number;
  /** Credentials the vault ever minted for it, and the one it remembers. */
  readonly mints: number;
  readonly used?: number;
  /** By credential, at the resource server. */
  readonly runs: readonly (Run | undefined)[];
  readonly hashUsed: boolean;
  /** An action that runs right now, and whether it had its effect: the resource server's memory. */
  readonly acting: readonly { readonly jti: number; readonly done: boolean }[];
  readonly effects: number;
}

export interface State {
  readonly now: number;
  readonly crashes: number;
  readonly lives: readonly Life[];
  readonly requests: readonly At[];
}

const UNBORN: Life = {
  ...{ signed: false, page: 'none', row: 'none', told: false },
  ...{ mints: 0, runs: [], hashUsed: false, acting: [], effects: 0 },
};
const IDLE: At = { at: 'idle' };

export function consentLife(variant: Variant = {}): Model<State> {
  return {
    start: {
      now: TIMES[0],
      crashes: 0,
      lives: Array.from({ length: GENERATIONS }, () => UNBORN),
      requests: Array.from({ length: REQUESTS }, () => IDLE),
    },
    moves: (state) => [
      ...state.requests.flatMap((request, i) => requestMoves(state, request, i, variant)),
      ...state.lives.flatMap((life, g) => personMoves(state, life, g, variant)),
      ...state.lives.flatMap((life, g) => actionMoves(state, life, g, variant)),
      ...mishaps(state, variant),
    ],
    fault: (state, before) => fault(state, before, variant),
    // Signed and decided in time: a call must still be able to get it run, without luck.
    owes: ({ now, lives }) =>
      !variant.bridgeIsTakenOver &&
      now < EXP &&
      lives.some(({ signed, page, row }) => signed && page === 'approved' && row !== 'settled'),
    isReached: ({ lives }) =>
      lives.every(
        ({ signed, page, row, result }) =>
          !(signed && page === 'approved') ||
          (row === 'settled' && (result === 'success' || result === 'indeterminate')),
      ),
  };
}

const withLife = (state: State, g: number, change: Partial<Life>): State => ({
  ...state,
  lives: state.lives.map((life, i) => (i === g ? { ...life, ...change } : life)),
});
const withRequest = (state: State, i: number, at: At): State => ({
  ...state,
  requests: state.requests.map((request, j) => (j === i ? at : request)),
});

/** What the store gives the real reducer. */
function consentOf({ row, told, result, decidedAt }: Life): Consent | undefined {
  if (row === 'none') return undefined;
  const outcome = (): Outcome => {
    const declined = { kind: 'Declined', consentId: '' } as const;
    if (result === 'by approver') return { ...declined, by: 'approver' };
    if (result === 'by client') return { ...declined, by: 'client' };
    return { kind: 'Success', result: {} };
  };
  return {
    ...{ id: '', lookup: '', generation: 0, subject: '', proposal: {} as Consent['proposal'] },
    ...{ exp: EXP, state: row, told },
    ...(result === undefined ? {} : { result: outcome() }),
    ...(decidedAt === undefined ? {} : { decidedAt }),
  };
}

function requestMoves(state: State, request: At, i: number, variant: Variant): Move<State>[] {
  const move = (label: string, to: State, fair = true): Move<State> => ({
    label: `request ${i + 1} ${label}`,
    to,
    fair,
  });
  const go = (at: At, next: State = state): State => withRequest(next, i, at);
  const newest = state.lives.findLastIndex(({ row }) => row !== 'none');
  switch (request.at) {
    case 'idle': {
      const life = state.lives[newest];
      const declines: Move<State>[] =
        life?.row === 'pending' ? [move('declines', cancelled(state, newest, i), false)] : [];
      return [move('calls', go({ at: 'loop' })), ...declines];
    }
    case 'loop':
      return loop(state, newest, i, go, move, variant);
    case 'propose': {
      const { g } = request;
      const fresh = state.lives[g]!.page === 'none' && state.now < EXP;
      const proposed = fresh ? withLife(state, g, { page: 'pending' }) : state;
      return [move('proposes', go({ at: 'loop' }, proposed))];
    }
    case 'decided':
      return [
        move(
          `hears ${request.page}`,
          go({ at: 'loop' }, taken(state, request.g, request.page, variant)),
        ),
      ];
    case 'minted': {
      const { g, said } = request;
      if (typeof said !== 'number') {
        const next: At = isFinal(said) ? { at: 'settles', g, result: said } : IDLE;
        return [move(`hears ${said}`, go(next))];
      }
      const { row } = state.lives[g]!;
      const won = row === 'approved' || (variant.bridgeIsTakenOver && row === 'minted');
      const kept = won ? withLife(state, g, { row: 'minted', jti: said }) : state;
      return [move(`keeps credential ${said}`, go({ at: 'loop' }, kept))];
    }
    case 'checked':
      return [move('is let through', begun(state, request.g, request.jti, i, variant))];
    case 'waits': {
      const run = state.lives[request.g]!.runs[request.jti];
      if (run === undefined || run === 'started') return [];
      return [move(`hears ${run}`, go({ at: 'settles', g: request.g, result: run }))];
    }
    case 'looks': {
      const { g, jti, code } = request;
      const run = state.lives[g]!.runs[jti];
      if (run === 'started') return [move('waited long enough', go(IDLE))];
      return [move('looks what became of it', go({ at: 'settles', g, result: run ?? code }))];
    }
    case 'settles': {
      const { g, result } = request;
      const { row } = state.lives[g]!;
      const wins = row !== 'settled' && row !== 'expired';
      const settled = wins
        ? withLife(state, g, { row: 'settled', result, decidedAt: state.now })
        : state;
      return [move(`writes ${result}`, go({ at: 'tell', g }, settled))];
    }
    case 'tell': {
      const { g } = request;
      const told = state.lives[g]!.row === 'settled' ? withLife(state, g, { told: true }) : state;
      return [move('tells the caller', go(IDLE, told))];
    }
  }
}

/** One turn of the gate's loop: the real reducer decides. */
function loop(
  state: State,
  newest: number,
  i: number,
  go: (at: At, next?: State) => State,
  move: (label: string, to: State, fair?: boolean) => Move<State>,
  variant: Variant,
): Move<State>[] {
  const life = state.lives[newest];
  const step = nextStep(life === undefined ? undefined : consentOf(life), state.now);
  const g = newest;
  switch (step) {
    case 'open': {
      const next = g + 1;
      if (next >= GENERATIONS || state.now >= EXP) return [move('gives up', go(IDLE))];
      return [
        move(
          `opens consent ${next + 1}`,
          go({ at: 'propose', g: next }, withLife(state, next, { row: 'pending' })),
        ),
      ];
    }
    case 'ask': {
      const { page } = life!;
      if (page === 'none' && state.now < EXP)
        return [move('asks in vain', go({ at: 'propose', g }))];
      const says = (page === 'none' || page === 'pending') && state.now >= EXP ? 'expired' : page;
      if (says === 'pending') return [move('is told to wait', go(IDLE))];
      return [move('asks the page', go({ at: 'decided', g, page: says }))];
    }
    case 'expire':
      return [move('lets it expire', go({ at: 'loop' }, withLife(state, g, { row: 'expired' })))];
    case 'mint': {
      const { said, next } = minted(state, g, variant);
      return [move('asks the vault', go({ at: 'minted', g, said }, next))];
    }
    case 'execute':
      return [executed(state, g, i, go, move, variant)];
    case 'tell':
      return [move('finds the result', go({ at: 'tell', g }))];
  }
}

/** The first write wins: `pending` is the only state a decision is taken in. */
function taken(state: State, g: number, page: Page | 'expired', variant: Variant): State {
  if (state.lives[g]!.row !== 'pending' && !variant.takeOverwrites) return state;
  if (page === 'approved') return withLife(state, g, { row: 'approved' });
  if (page === 'expired') return withLife(state, g, { row: 'expired' });
  const result = page === 'declined' ? 'by approver' : 'by client';
  return withLife(state, g, { row: 'settled', result, decidedAt: state.now });
}

/** The client's own refusal: withdraws the question unless it was answered, or is not there (then nothing happens). */
function cancelled(state: State, g: number, i: number): State {
  const { page } = state.lives[g]!;
  if (page === 'none') return state;
  if (page === 'pending' && state.now >= EXP)
    return withRequest(state, i, { at: 'decided', g, page: 'expired' });
  if (page !== 'pending') return withRequest(state, i, { at: 'decided', g, page });
  const next = withLife(state, g, { page: 'cancelled' });
  return withRequest(next, i, { at: 'decided', g, page: 'cancelled' });
}

/** The vault: one transaction looks whether the bytes are used and marks them. */
function minted(
  state: State,
  g: number,
  variant: Variant,
): { said: number | RefusalCode; next: State } {
  const { signed, used, mints } = state.lives[g]!;
  if (!signed && !variant.rsTrustsVault) return { said: 'SignatureMismatch', next: state };
  if (state.now >= EXP) return { said: 'CredentialExpired', next: state };
  if (used !== undefined)
    return { said: variant.mintHasNoId ? 'SignatureReplay' : used, next: state };
  return { said: mints, next: withLife(state, g, { used: mints, mints: mints + 1 }) };
}

/** What the resource server says to a credential. */
function executed(
  state: State,
  g: number,
  i: number,
  go: (at: At) => State,
  move: (label: string, to: State) => Move<State>,
  variant: Variant,
): Move<State> {
  const { jti = -1, runs, hashUsed, signed } = state.lives[g]!;
  const run = runs[jti];
  const refused = (code: RefusalCode): Move<State> => {
    const believed = variant.refusalIsBelieved && code !== 'CredentialReplay';
    const next: At = believed ? { at: 'settles', g, result: code } : { at: 'looks', g, jti, code };
    return move(`is refused, ${code}`, go(next));
  };
  if (state.now >= EXP + RS_SKEW) return refused('CredentialExpired');
  if (!signed && !variant.rsTrustsVault) return refused('SignatureMismatch');
  if (run === 'indeterminate') {
    return move('is refused, ExecutionIndeterminate', go({ at: 'settles', g, result: run }));
  }
  if (run !== undefined) return refused('CredentialReplay');
  if (hashUsed) return refused('SignatureReplay');
  if (variant.rsChecksThenActs) return move('is checked', go({ at: 'checked', g, jti }));
  return move('sends the credential', begun(state, g, jti, i, variant));
}

function begun(state: State, g: number, jti: number, i: number, variant: Variant): State {
  const { runs, acting } = state.lives[g]!;
  const marked = variant.rsMarksAfterwards
    ? {}
    : { runs: put(runs, jti, 'started'), hashUsed: !variant.rsKnowsNoHash };
  const next = withLife(state, g, { ...marked, acting: [...acting, { jti, done: false }] });
  return withRequest(next, i, { at: 'waits', g, jti });
}

function put(runs: Life['runs'], jti: number, run: Run): Life['runs'] {
  return Object.assign(
    Array.from({ length: Math.max(runs.length, jti + 1) }, (_, i) => runs[i]),
    {
      [jti]: run,
    },
  );
}

function personMoves(state: State, life: Life, g: number, variant: Variant): Move<State>[] {
  const open = variant.pageOverwrites ? life.page !== 'none' : life.page === 'pending';
  if (!open || state.now >= EXP) return [];
  const person = (label: string, change: Partial<Life>): Move<State> => ({
    label: `the person ${label} consent ${g + 1}`,
    to: withLife(state, g, change),
    fair: false,
  });
  return [
    person('signs', { signed: true, page: 'approved' }),
    person('declines', { page: 'declined' }),
    ...(variant.acceptIsConsent
      ? [{ ...person('', { page: 'approved' }), label: 'the client accepts' }]
      : []),
  ];
}

/** An action under way has its effect, then its outcome is stored. Nobody waits for it to be asked again. */
function actionMoves(state: State, life: Life, g: number, variant: Variant): Move<State>[] {
  return life.acting.map(({ jti, done }, k) => {
    const others = life.acting.filter((_, i) => i !== k);
    if (!done) {
      const acting = life.acting.map((a, i) => (i === k ? { jti, done: true } : a));
      return {
        label: `the action of consent ${g + 1} runs`,
        to: withLife(state, g, { acting, effects: life.effects + 1 }),
        fair: true,
      };
    }
    const runs = put(life.runs, jti, 'success');
    const hash = variant.rsMarksAfterwards && !variant.rsKnowsNoHash ? { hashUsed: true } : {};
    return {
      label: `its outcome is stored`,
      to: withLife(state, g, { acting: others, runs, ...hash }),
      fair: true,
    };
  });
}

function mishaps(state: State, variant: Variant): Move<State>[] {
  const later = TIMES[TIMES.indexOf(state.now as 0) + 1];
  const time: Move<State>[] =
    later === undefined
      ? []
      : [{ label: `it is ${later} s`, to: { ...state, now: later }, fair: false }];
  if (state.crashes >= MAX_CRASHES) return time;
  const crash = (who: string, to: State): Move<State> => ({
    label: `${who} crashes`,
    to: { ...to, crashes: state.crashes + 1 },
    fair: false,
  });
  const bridge = { ...state, requests: state.requests.map(() => IDLE) };
  const rs: State = {
    ...state,
    requests: state.requests.map((r) => (r.at === 'waits' || r.at === 'checked' ? IDLE : r)),
    lives: state.lives.map((life) => ({
      ...life,
      acting: [],
      runs: life.runs.map((run) =>
        run !== 'started' ? run : variant.rsForgetsStarted ? undefined : 'indeterminate',
      ),
      hashUsed: variant.rsForgetsStarted ? life.runs.includes('success') : life.hashUsed,
    })),
  };
  const vault = {
    ...state,
    lives: state.lives.map((life) => forgetful(life)),
  };
  return [
    ...time,
    ...(state.requests.some(({ at }) => at !== 'idle') ? [crash('the bridge', bridge)] : []),
    ...(state.lives.some(({ acting }) => acting.length > 0)
      ? [crash('the resource server', rs)]
      : []),
    ...(variant.vaultForgets && state.lives.some(({ used }) => used !== undefined)
      ? [crash('the vault', vault)]
      : []),
  ];
}

/** A life whose use the vault forgot. */
function forgetful(life: Life): Life {
  const { used, ...rest } = life;
  return used === undefined ? life : rest;
}

function fault({ lives }: State, before: State | undefined, variant: Variant): string | undefined {
  for (const [g, life] of lives.entries()) {
    const wrong =
      faultOf(life, variant) ??
      (variant.bridgeIsTakenOver ? undefined : changeOf(life, before?.lives[g]));
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function faultOf(life: Life, { bridgeIsTakenOver }: Variant): string | undefined {
  const { signed, page, row, result, mints, effects, acting } = life;
  if (effects > 1) return 'it ran twice';
  if (effects > 0 && !signed) return 'it ran without a signature';
  if (effects > 0 && (page === 'declined' || page === 'cancelled')) return 'it ran though declined';
  if (bridgeIsTakenOver) return undefined;
  if (mints > 1) return 'one signature minted two credentials';
  if (row !== 'settled') return undefined;
  if (result === 'success') return effects === 1 ? undefined : 'a success that was none';
  if (result === 'indeterminate') return undefined;
  if (effects > 0 || acting.length > 0) return 'the caller is told that it did not run';
  if (result === 'by approver' || result === 'by client' || result === 'CredentialExpired')
    return undefined;
  return signed && page === 'approved' ? `a decided consent was lost to ${result}` : undefined;
}

/** Final states are final. */
function changeOf(after: Life, before: Life | undefined): string | undefined {
  if (before === undefined) return undefined;
  const decided = before.page !== 'none' && before.page !== 'pending';
  if (decided && after.page !== before.page) return 'a final decision changed';
  if (before.row === 'settled' && (after.row !== 'settled' || after.result !== before.result))
    return 'a final word changed';
  if (before.row === 'expired' && after.row !== 'expired') return 'what was expired came back';
  const rerun = before.runs.some(
    (run, i) => run !== undefined && run !== 'started' && after.runs[i] !== run,
  );
  return rerun ? 'a final outcome changed' : undefined;
}
