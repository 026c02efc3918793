import view from '@fastify/view';
import { Eta } from 'eta';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { join } from 'node:path';
import { displayText } from '../../src/contract/display.js';
import type { Assets } from './assets.js';
import { csrfTokenOf } from './sessions.js';

export type ViewName = 'consent' | 'enrol' | 'inbox' | 'message' | 'oidc-callback' | 'sign-in';

/** Renders the templates of consent-ui/views with eta, which escapes every interpolation for HTML. */
export async function registerViews(
  app: FastifyInstance,
  root: string,
  assets: Assets,
): Promise<void> {
  await app.register(view, {
    engine: { eta: new Eta({ autoEscape: true }) },
    root: join(root, 'consent-ui/views'),
    viewExt: 'eta',
    production: true,
    defaultContext: {
      /** Address of an asset, changing with its content. */
      asset: (name: string) => `/assets/${name}?v=${assets.get(name)?.hash ?? ''}`,
    },
  });
}

/** Sends a page. `island` is the data its script works on. */
export function render(
  request: FastifyRequest,
  reply: FastifyReply,
  name: ViewName,
  page: {
    readonly title: string;
    readonly island?: unknown;
    readonly text?: Readonly<Record<string, string>>;
  },
): FastifyReply {
  const { approver } = request;
  return reply.type('text/html; charset=utf-8').view(name, {
    ...page.text,
    title: page.title,
    island: islandOf(page.island),
    approverId: approver === undefined ? undefined : displayText(approver.approverId),
    csrf: approver?.sessionToken === undefined ? undefined : csrfTokenOf(approver.sessionToken),
  });
}

/**
 * JSON that cannot end the script element it stands in: `<` is written as `\u003c` (HTML section 4.12.1.3). In JSON `<` occurs
 * in strings only, so what the browser parses is the same value.
 */
export function islandOf(data: unknown): string {
  return JSON.stringify(data ?? null).replaceAll('<', '\\u003c');
}

/** Whether the answer should be a page rather than JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}
