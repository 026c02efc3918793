/** Composition root of the resource server: configuration, stores, keys and clock come together here and nowhere else. */
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AllActions } from './actions/all-actions.js';
import { TaskActions } from './actions/task-actions.js';
import { TaskStore } from './actions/task-store.js';
import { TASK_TOOLS } from './actions/task-tools.js';
import { taskDefinitions } from './actions/tasks.js';
import { buildApp } from './app.js';
import type { EnrolledKeys } from './approver-directory.js';
import { ApproverDirectory } from './approver-directory.js';
import { Asks } from './asks.js';
import { clientAssertion, loadPrivateKey } from './client-assertion.js';
import { ClientAuthentication } from './client-authentication.js';
import type { Clock } from './clock.js';
import type { RsConfig } from './config.js';
import { JwksIssuerKeys } from './issuer-keys.js';
import type { ResourceServer } from './resource-server.js';
import type { DomainStores } from './store/domain-stores.js';
import { openDomainStores } from './store/domain-stores.js';
import { SurfaceFeed } from './surface-feed.js';
import { openUpstreams } from './upstream/open-upstreams.js';
import { JsonOrigin, enrolledKeysAt } from './vault-http.js';

export interface Surroundings {
  readonly dataDir: string;
  readonly clock: Clock;
  /** 32 hex digits, time ordered, never the same twice. */
  readonly newJti: () => string;
  readonly reportError: (error: unknown) => void;
  /** Of this process; stdio children get the few names of it that child-environment.ts lists. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** One line for this process's stderr. */
  readonly print: (line: string) => void;
}

export interface Composed {
  readonly app: FastifyInstance;
  /** Lets running calls end, then closes sockets and stores. */
  readonly close: () => Promise<void>;
}

const SWEEP_EVERY_MS = 60_000;
/** Characters of a path or detail kept in the record: senders choose them. */
const MAX_TEXT = 256;

/** Opens everything, marks what an earlier process left started, and sweeps; listening is the caller's. */
export async function compose(config: RsConfig, around: Surroundings): Promise<Composed> {
  const { clock, dataDir, reportError } = around;
  const stores = openDomainStores(dataDir, clock);
  const tasks = new TaskStore(join(dataDir, 'tasks.db'), clock);
  const jwksUri = new URL(config.jwks_uri);
  const issuer = new JsonOrigin(jwksUri.origin);
  const directory = enrolledKeys(config, around);
  const { upstreams, surface } = openSurface(config, around, stores);

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
    actions: new AllActions(config.exampleTasks ? new TaskActions(tasks) : undefined, upstreams.actions),
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

  const app = buildApp({
    rs,
    surface,
    offers: upstreams.offers,
    lanes: upstreams.lanes,
    asks: new Asks(randomUUID),
    clients: new ClientAuthentication(config.clients, config.resource, clock),
    recordRefusal: ({ code, layer, path, detail }, about) =>
      stores.commits.run(() => {
        const reason = {
          ...(path ? { path: path.slice(0, MAX_TEXT) } : {}),
          ...(detail ? { detail: detail.slice(0, MAX_TEXT) } : {}),
        };
        stores.record.append(clock(), 'execution.refused', { code, layer, ...reason, ...about });
      }),
    reportError,
  });
  const close = async () => {
    clearInterval(timer);
    await app.close();
    await upstreams.close();
    await Promise.all([issuer.close(), directory?.close()]);
    tasks.close();
    stores.close();
  };
  return { app, close };
}

/** The upstreams, connecting from now on, and all there is to list. */
function openSurface({ upstreams: configs, exampleTasks }: RsConfig, around: Surroundings, stores: DomainStores) {
  const { clock, env, print, reportError } = around;
  const upstreams = openUpstreams({
    configs,
    taken: new Set(exampleTasks ? TASK_TOOLS.keys() : []),
    pins: stores.pins,
    host: { env, clock, print },
    onChange: () => surface.changed(),
    reportError,
  });
  const surface = new SurfaceFeed(exampleTasks ? taskDefinitions : [], upstreams.offers, clock);
  return { upstreams, surface };
}

/** The vault's list of keys, if the configuration trusts it at enrolment. */
function enrolledKeys(
  { enrolment, issuer }: RsConfig,
  { dataDir, clock, newJti }: Surroundings,
): { readonly keysOf: EnrolledKeys; readonly close: () => Promise<void> } | undefined {
  if (enrolment === undefined) return undefined;
  const { clientId, directoryUrl, privateJwkFile } = enrolment;
  const privateKey = loadPrivateKey(readFileSync(join(dataDir, privateJwkFile), 'utf8'));
  const assertion = clientAssertion({ clientId, privateKey, audience: issuer, clock, newJti });
  const origin = new JsonOrigin(directoryUrl);
  return { keysOf: enrolledKeysAt(origin, assertion), close: () => origin.close() };
}
