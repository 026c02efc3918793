import type { ServerCallContext, User } from '@a2a-js/sdk/server';
import { Refusal } from '../../contract/errors.js';
import type { Caller } from '../../contract/wire.js';
import type { Authenticated } from '../../mcp/callers.js';

/** The authenticated A2A client as the SDK carries it. The token itself is not passed on, only by what it is good. */
export class CallerUser implements User {
  readonly isAuthenticated = true;

  constructor(readonly authenticated: Authenticated) {}

  get caller(): Caller {
    return this.authenticated.caller;
  }

  /** What a task belongs to: one client acting for one person. */
  get userName(): string {
    return JSON.stringify([this.caller.subject, this.caller.client_id]);
  }
}

/** @throws Refusal `Unauthenticated` (layer `bridge`): there is no anonymous caller */
export function userOf(context: ServerCallContext): CallerUser {
  if (context.user instanceof CallerUser) return context.user;
  throw new Refusal('Unauthenticated', 'bridge');
}
