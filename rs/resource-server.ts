/** Everything `execute` expects and uses, made once at the composition root. All of it is this server's own. */
import type { Actions } from './actions/actions.js';
import type { ApproverDirectory } from './approver-directory.js';
import type { ApproverPolicy } from './checks/check-approver-policy.js';
import type { ExpectedIssuerKeys } from './checks/check-credential-signature.js';
import type { ExpectedCeremony } from './checks/check-webauthn-assertion.js';
import type { Clock } from './clock.js';
import type { CommandTable } from './config.js';
import type { Executions } from './store/executions.js';

export interface ResourceServer {
  /** This server's identifier: the `aud` of credentials and of signed payloads. */
  readonly resource: string;
  readonly issuer: ExpectedIssuerKeys & { readonly identifier: string };
  readonly rarTypes: readonly string[];
  readonly ceremony: ExpectedCeremony;
  readonly commands: CommandTable;
  readonly policy: ApproverPolicy;
  readonly approvers: ApproverDirectory;
  readonly executions: Executions;
  readonly actions: Actions;
  readonly clock: Clock;
}
