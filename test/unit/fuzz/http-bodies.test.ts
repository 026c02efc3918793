/**
 * Bodies of any kind at every route of the four surfaces that reads one: arbitrary octets, and accepted bodies that were
 * bent. The answer is what was asked for or a problem document with a known code of that layer, never `Internal`; at
 * `/mcp` it is a JSON-RPC message. The process still answers an honest body at the end.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRefusalCode } from '../../../src/contract/errors.js';
import { change } from './hostile-bodies.js';
import type { Mounted, Route } from './mounted-surfaces.js';
import {
  mountBridge,
  mountConsentPage,
  mountRs,
  mountVault,
  useMemoryDisk,
} from './mounted-surfaces.js';
import { cases, TIME } from './runs.js';

useMemoryDisk();

/** Sent at once, so that refusals share their commits as concurrent requests do. */
const TOGETHER = 50;
/** The cases are shared by the four surfaces. */
const SURFACES = 4;

interface Sent {
  readonly route: Route;
  readonly body: string | Uint8Array;
  readonly type: string | undefined;
}

/** Sends as JSON what is for a JSON route, and member by member what is for a form. */
function encoded({ headers }: Route, body: string | Uint8Array): string | Uint8Array {
  if (!headers['content-type']?.includes('urlencoded') || typeof body !== 'string') return body;
  try {
    const form = JSON.parse(body) as Record<string, unknown>;
    return new URLSearchParams(
      Object.entries(form).map(([name, value]): [string, string] => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ).toString();
  } catch {
    return body;
  }
}

async function answerTo({ app }: Mounted, { route, body, type }: Sent) {
  const { 'content-type': usual, ...headers } = route.headers;
  return app.inject({
    ...{ method: route.method, url: route.url },
    headers: { ...headers, 'content-type': type ?? usual },
    payload: Buffer.from(encoded(route, body)),
  });
}

const types = fc.oneof(
  { weight: 30, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...['text/plain', 'application/json; charset=utf-16', 'application/json;', ' ', 'a/b;c=d'],
      ...['multipart/form-data; boundary=x', 'application/problem+json', '\u00e9'],
    ),
  },
);

test.each([
  ['rs', mountRs, 'rs'],
  ['vault', mountVault, 'vault'],
  ['consent-ui', mountConsentPage, 'consent-ui'],
  ['bridge', () => Promise.resolve(mountBridge()), 'bridge'],
] as const)('bodies at %s', TIME, async (name, mount, layer) => {
  const mounted = await mount();
  const codes = new Map<string, number>();
  const one = fc.record({
    at: fc.nat(mounted.routes.length - 1),
    bend: change,
    type: types,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { minLength: TOGETHER, maxLength: TOGETHER }),
      async (changes) => {
        await Promise.all(
          changes.map(async ({ at, bend, type }) => {
            const route = mounted.routes[at]!;
            const sent = { route, body: bend(route.honest), type };
            const answer = await answerTo(mounted, sent);
            const said = verdictOf(answer, layer);
            codes.set(said, (codes.get(said) ?? 0) + 1);
            if (said.startsWith('!'))
              expect.fail(
                `${said}: ${route.url} ${String(type)} ${Buffer.from(sent.body).toString('latin1').slice(0, 600)}\n${answer.payload.slice(0, 400)}`,
              );
          }),
        );
      },
    ),
    cases(TOGETHER * SURFACES),
  );
  for (const route of mounted.routes) {
    const answer = await answerTo(mounted, {
      route,
      body: JSON.stringify(route.honest),
      type: undefined,
    });
    expect(verdictOf(answer, layer)).not.toMatch(/^!/);
  }
  expect(mounted.errors.filter((error) => !String(error).startsWith('Unauthenticated'))).toEqual(
    [],
  );
  await mounted.close();
  const all = [...codes].sort(([, a], [, b]) => b - a).map(([code, n]) => `${code} ${n}`);
  console.log(`${name}: ${all.join(', ')}`);
});

/** A code, or a status, or `!` and what is wrong with the answer. */
function verdictOf(
  { statusCode, headers, payload }: Awaited<ReturnType<typeof answerTo>>,
  layer: string,
): string {
  const type = String(headers['content-type']);
  if (statusCode >= 500) return `!${statusCode}`;
  if (statusCode < 300) return String(statusCode);
  const body = readJson(payload);
  if (layer === 'bridge' && body?.['jsonrpc'] === '2.0') {
    const error = body['error'] as { code?: unknown } | undefined;
    return typeof error?.code === 'number' ? `rpc ${error.code}` : '!no error';
  }
  // RFC 6749 section 5.2 at the token endpoint.
  const isProblem =
    type.startsWith('application/problem+json') || typeof body?.['error'] === 'string';
  if (!isProblem || body === undefined) return `!${statusCode} ${type}`;
  const { code } = body;
  if (!isRefusalCode(code) || code === 'Internal') return `!${String(code)}`;
  return code;
}

function readJson(text: string): Record<string, unknown> | undefined {
  const data = /^(?:event: \w+\n)?data: (.*)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(data) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
