/**
 * How far a call has come, as types. A call is `Passed<'x'>` once check x held, and each check takes only the state the
 * check before it gave: leaving a line out of execute.ts, or swapping two, does not compile (test/unit/rs/states.test.ts).
 */
import type { JsonObject } from '../src/contract/json.js';
import type { SignedPayload } from '../src/contract/payload.js';
import type { AuthorizationDetail, CredentialClaims } from '../src/contract/vault.js';
import type { ExecuteRequest } from '../src/contract/wire.js';
import type { CommandRule } from './config.js';
import type { Jws } from './jws.js';
import type { PinnedKey } from './pinned-key.js';

/** The order of checks (DESIGN section 7): on the left a check, on the right the one that comes right before it. */
interface Preceding {
  allowed: 'known';
  pinned: 'allowed';
  scopes: 'pinned';
  open: 'scopes';
  approval: 'scopes';
  shape: 'approval';
  signature: 'shape';
  issuer: 'signature';
  audience: 'issuer';
  lifetime: 'audience';
  client: 'lifetime';
  detail: 'client';
  command: 'detail';
  args: 'command';
  bytes: 'args';
  approver: 'bytes';
  human: 'approver';
  policy: 'human';
  input: 'policy';
  reachable: 'input';
  unused: 'reachable';
}

type Following<Check> = {
  [Next in keyof Preceding]: Preceding[Next] extends Check ? Next : never;
}[keyof Preceding];

interface Call {
  /** As it arrived; its arguments are frozen at every level. */
  readonly request: ExecuteRequest;
}
interface Ruled extends Call {
  /** What this server's own table says of the command. */
  readonly rule: CommandRule;
}
interface Approved extends Call {
  readonly credential: string;
  readonly signed: SignedPayload;
}
interface Shaped extends Approved {
  readonly jws: Jws;
}
interface Claimed extends Approved {
  /** Read from a credential whose signature verified. */
  readonly claims: CredentialClaims;
}
interface Detailed extends Claimed {
  readonly detail: AuthorizationDetail;
}
interface Rebuilt extends Detailed {
  /** Canonical bytes this server built from the live call. */
  readonly bytes: Uint8Array;
  /** SHA-256 of `bytes`, base64url. */
  readonly hash: string;
}
interface Keyed extends Rebuilt {
  /** From this server's own directory. */
  readonly key: PinnedKey;
}

/** What is known of a call after each check. */
interface Facts {
  known: Call;
  allowed: Ruled;
  pinned: Ruled;
  scopes: Ruled;
  open: Call;
  approval: Approved;
  shape: Shaped;
  signature: Claimed;
  issuer: Claimed;
  audience: Claimed;
  lifetime: Claimed;
  client: Claimed;
  detail: Detailed;
  command: Detailed;
  args: Detailed;
  bytes: Rebuilt;
  approver: Keyed;
  human: Keyed;
  policy: Keyed;
  input: Keyed;
  reachable: Keyed;
  unused: Keyed;
}

export class Passed<Check extends keyof Facts> {
  readonly #facts: Facts[Check];

  private constructor(
    readonly check: Check,
    facts: Facts[Check],
  ) {
    Object.freeze(facts);
    this.#facts = facts;
  }

  /** The only way in: the first check of the order. */
  static known(request: ExecuteRequest): Passed<'known'> {
    return new Passed('known', { request });
  }

  /** Only the files in checks/ call this, once their rule held; the types let them go one step on and no further. */
  pass<Next extends Following<Check>>(next: Next, facts: Facts[Next]): Passed<Next> {
    return new Passed(next, facts);
  }

  get facts(): Facts[Check] {
    return this.#facts;
  }

  get command(): string {
    return this.#facts.request.command;
  }

  get args(): JsonObject {
    return this.#facts.request.args;
  }
}

/** A credential that is genuine, current, ours, and for the calling client; not yet compared with the call. */
export type VerifiedClaims = Passed<'detail'>;
/** The live call is what an allowed human signed, byte for byte. */
export type BoundAction = Passed<'policy'>;
/** ... and its credential and signature are spent, durably. */
export type ConsumedAction = Passed<'unused'>;
/** A call of a command this server's own table opens. */
export type OpenAction = Passed<'open'>;
