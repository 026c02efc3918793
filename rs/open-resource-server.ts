/** The resource server without its HTTP surface: stores, keys, directory and checks, around whatever actions it is to run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import type { Refusal } from '../src/contract/errors.js';
import type { ExecuteRequest } from '../src/contract/wire.js';
import type { Actions } from './actions/actions.js';
import type { EnrolledKeys } from './approver-directory.js';
import { ApproverDirectory } from './approver-directory.js';
import { clientAssertion, loadPrivateKey } from './client-assertion.js';
import type { Clock } from './clock.js';
import type { RsConfig } from './config.js';
import { JwksIssuerKeys } from './issuer-keys.js';
import type { ResourceServer } from './resource-server.js';
import type { DomainStores } from './store/domain-stores.js';
import { openDomainStores } from './store/domain-stores.js';
import { JsonOrigin, enrolledKeysAt } from './vault-http.js';

export interface Place {
  readonly dataDir: string;
  readonly clock: Clock;
  /** 32 hex digits, time ordered, never the same twice. */
  readonly newJti: () => string;
  readonly reportError: (error: unknown) => void;
}

export interface OpenedResourceServer {
  readonly rs: ResourceServer;
  /** Keeps a refused call in the record; durable when it resolves. */
  readonly recordRefusal: (
    refusal: Refusal,
    call: ExecuteRequest,
    service: string,
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

const SWEEP_EVERY_MS = 60_000;
/** Characters of a path or detail kept in the record: senders choose them. */
const MAX_TEXT = 256;

/** Opens everything, marks what an earlier process left started, and sweeps now and every minute. */
export async function openResourceServer(
  config: RsConfig,
  place: Place,
  actionsOn: (stores: DomainStores) => Actions,
): Promise<OpenedResourceServer> {
  const { clock, dataDir, reportError } = place;
  const stores = openDomainStores(dataDir, clock);
  const jwksUri = new URL(config.jwks_uri);
  const issuer = new JsonOrigin(jwksUri.origin);
  const directory = enrolledKeys(config, place);

  const rs: ResourceServer = {
    resource: config.resource,
    issuer: {
      identifier: config.issuer,
      algorithms: config.credential_algs,
      keys: new JwksIssuerKeys(() => issuer.get(jwksUri.pathname + jwksUri.search), clock),
    },
    rarTypes: config.rar_types,
    ceremony: { rpId: config.webauthn.rp_id, origins: config.webauthn.origins },
    commands: config.commands,
    policy: config.policy,
    approvers: new ApproverDirectory({
      store: stores.approvers,
      commits: stores.commits,
      record: stores.record,
      clock,
      enrolled: directory?.keysOf,
    }),
    executions: stores.executions,
    actions: actionsOn(stores),
    clock,
  };
  const sweep = () =>
    Promise.all([
      stores.executions.sweep(),
      stores.commits.run(() => stores.record.sweep(clock())),
    ]);
  await stores.executions.recover();
  await sweep();
  const timer = setInterval(() => void sweep().catch(reportError), SWEEP_EVERY_MS).unref();

  return {
    rs,
    recordRefusal: ({ code, layer, path, detail }, call, service) =>
      stores.commits.run(() => {
        const reason = {
          ...(path ? { path: path.slice(0, MAX_TEXT) } : {}),
          ...(detail ? { detail: detail.slice(0, MAX_TEXT) } : {}),
        };
        const about = { code, layer, ...reason, ...describe(call, service) };
        stores.record.append(clock(), 'execution.refused', about);
      }),
    close: async () => {
      clearInterval(timer);
      await Promise.all([issuer.close(), directory?.close()]);
      stores.close();
    },
  };
}

/** What the record keeps of a refused call. */
function describe({ command, caller, credential }: ExecuteRequest, service: string) {
  return {
    service,
    command,
    subject: caller.subject,
    client_id: caller.client_id,
    // SHA-256 of the credential text, base64url, if there was one.
    ...(credential === undefined
      ? {}
      : { credential_sha256: createHash('sha256').update(credential).digest('base64url') }),
  };
}

/** The vault's list of keys, if the configuration trusts it at enrolment. */
function enrolledKeys(
  { enrolment, issuer }: RsConfig,
  { dataDir, clock, newJti }: Place,
): { readonly keysOf: EnrolledKeys; readonly close: () => Promise<void> } | undefined {
  if (enrolment === undefined) return undefined;
  const { clientId, directoryUrl, privateJwkFile } = enrolment;
  const privateKey = loadPrivateKey(readFileSync(join(dataDir, privateJwkFile), 'utf8'));
  const assertion = clientAssertion({ clientId, privateKey, audience: issuer, clock, newJti });
  const origin = new JsonOrigin(directoryUrl);
  return { keysOf: enrolledKeysAt(origin, assertion), close: () => origin.close() };
}
