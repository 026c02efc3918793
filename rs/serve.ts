/** Composition root of the resource server: its actions, its HTTP surface, and what it runs on come together here. */
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AllActions } from './actions/all-actions.js';
import { TaskActions } from './actions/task-actions.js';
import { TaskStore } from './actions/task-store.js';
import { TASK_TOOLS } from './actions/task-tools.js';
import { taskDefinitions } from './actions/tasks.js';
import { buildApp } from './app.js';
import { Asks } from './asks.js';
import { ClientAuthentication } from './client-authentication.js';
import type { RsConfig } from './config.js';
import { type Place, openResourceServer } from './open-resource-server.js';
import type { Pins } from './store/pins.js';
import { SurfaceFeed } from './surface-feed.js';
import { openUpstreams } from './upstream/open-upstreams.js';

export interface Surroundings extends Place {
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

/** Opens everything; listening is the caller's. */
export async function compose(config: RsConfig, around: Surroundings): Promise<Composed> {
  const { clock, dataDir, reportError } = around;
  const tasks = new TaskStore(join(dataDir, 'tasks.db'), clock);
  const examples = config.exampleTasks ? new TaskActions(tasks) : undefined;
  let parts: ReturnType<typeof openSurface> | undefined;
  const opened = await openResourceServer(config, around, ({ pins }) => {
    parts = openSurface(config, around, pins);
    return new AllActions(examples, parts.upstreams.actions);
  });
  if (parts === undefined) throw new Error('no actions were asked for');
  const { upstreams, surface } = parts;
  const app = buildApp({
    rs: opened.rs,
    surface,
    offers: upstreams.offers,
    lanes: upstreams.lanes,
    asks: new Asks(randomUUID),
    clients: new ClientAuthentication(config.clients, config.resource, clock),
    recordRefusal: opened.recordRefusal,
    reportError,
  });
  const close = async () => {
    await app.close();
    await upstreams.close();
    await opened.close();
    tasks.close();
  };
  return { app, close };
}

/** The upstreams, connecting from now on, and all there is to list. */
function openSurface(
  { upstreams: configs, exampleTasks }: RsConfig,
  around: Surroundings,
  pins: Pins,
) {
  const { clock, env, print, reportError } = around;
  const upstreams = openUpstreams({
    configs,
    taken: new Set(exampleTasks ? TASK_TOOLS.keys() : []),
    pins,
    host: { env, clock, print },
    onChange: () => surface.changed(),
    reportError,
  });
  const surface = new SurfaceFeed(exampleTasks ? taskDefinitions : [], upstreams.offers, clock);
  return { upstreams, surface };
}
