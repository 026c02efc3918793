/** The four HTTP applications mounted in this process, each route that reads a body with one that it accepts. */
import type { FastifyInstance } from 'fastify';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../src/contract/json.js';
import { DEFAULT_LIMITS, type Limits } from '../../../consent-ui/server/limits.js';
import { Announcements } from '../../../src/mcp/announcements.js';
import { httpApp } from '../../../src/mcp/http-app.js';
import { LegacySessions } from '../../../src/mcp/legacy-session.js';
import { RequestIds } from '../../../src/mcp/request-ids.js';
import { LaneListeners } from '../../../src/mcp/lane-listeners.js';
import { Lanes } from '../../../src/mcp/lanes.js';
import { ParkedRuns } from '../../../src/mcp/parked-runs.js';
import { NO_SURFACE } from '../../../src/mcp/server.js';
import { SurfaceWatch } from '../../../src/mcp/surface-watch.js';
import { callStateCodec } from '../../../src/mcp/request-state.js';
import { callerOf } from '../../../src/mcp/callers.js';
import { openDatabase } from '../../../src/store/database.js';
import { bridgeRecord } from '../../../src/store/record.js';
import { TokenStore } from '../../../src/store/tokens.js';
import { vaultApp } from '../../../vault/app.js';
import { startPage } from '../consent-ui/page-under-test.js';
import { Fixture } from '../rs/fixture.js';
import { form2 } from '../vault/support/signers.js';
import { assertion, dataDirectory, openTestVault, tokenForm } from '../vault/support/test-vault.js';

export interface Route {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly honest: JsonValue;
}

export interface Mounted {
  readonly app: FastifyInstance;
  readonly routes: readonly Route[];
  /** What was reported as nobody's refusal. */
  readonly errors: readonly unknown[];
  close(): Promise<void>;
}

/** Every refusal is recorded durably; where the disk is memory, that costs nothing. */
export function useMemoryDisk(): void {
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
}

const json = { 'content-type': 'application/json' };

export async function mountRs(): Promise<Mounted> {
  const rs = await new Fixture().start();
  const headers = { ...json, authorization: `Bearer ${rs.serviceAssertion()}` };
  const route = (honest: object): Route => ({
    ...{ method: 'POST', url: '/v1/execute', headers },
    honest: honest as JsonObject,
  });
  const { credential, signed, ...open } = rs.request();
  return {
    app: rs.composed!.app,
    routes: [
      route({ ...open, credential, signed }),
      route({ ...open, command: 'get_task' }),
      route({ ...open, command: 'create_task', args: { title: 'a', notes: 'b' } }),
    ],
    errors: rs.errors,
    close: () => rs.close(),
  };
}

export async function mountVault(): Promise<Mounted> {
  const vault = openTestVault(dataDirectory());
  const app = vaultApp(vault.service);
  const signed = (await vault.enrolRaw()).sign(form2());
  const b = 'AAAA';
  const page = { ...json, authorization: `Bearer ${assertion('consent-ui')}` };
  const routes: Record<string, JsonValue> = {
    'signatures/examine': { signed: signed as unknown as JsonObject },
    'enrolments/options': { invite: 'x' },
    'enrolments/finish': {
      enrolment_id: 'x',
      label: 'x',
      response: {
        ...{ id: b, rawId: b, type: 'public-key' },
        response: { clientDataJSON: b, attestationObject: b },
      },
    },
    'sign-in/finish': {
      challenge_id: 'x',
      response: {
        ...{ id: b, rawId: b, type: 'public-key' },
        response: { clientDataJSON: b, authenticatorData: b, signature: b, userHandle: b },
      },
    },
    'sign-in/key': { assertion: assertion('rs'), aud: 'http://localhost:8421' },
  };
  return {
    app,
    routes: [
      ...Object.entries(routes).map(([path, honest]): Route => ({
        ...{ method: 'POST', url: `/v1/${path}`, headers: page },
        honest,
      })),
      {
        ...{ method: 'POST', url: '/token' },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        honest: tokenForm(signed),
      },
    ],
    errors: vault.log,
    close: () => app.close(),
  };
}

export async function mountConsentPage(): Promise<Mounted> {
  const unlimited = Object.fromEntries(
    Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.MAX_SAFE_INTEGER]),
  ) as unknown as Limits;
  const page = await startPage({ limits: unlimited });
  const proposal = page.proposal();
  const headers = { ...json, authorization: `Bearer ${await page.assertion()}` };
  const { nonce } = proposal.payload;
  const approved = await page.propose();
  const browser = await page.signedIn();
  const person = {
    ...json,
    host: new URL(page.origin).host,
    origin: page.origin,
    accept: 'application/json',
    cookie: browser.cookie ?? '',
    'x-csrf-token': browser.csrf ?? '',
  };
  return {
    app: page.app,
    routes: [
      {
        ...{ method: 'PUT', url: `/v1/consents/${nonce}`, headers },
        honest: proposal as unknown as JsonObject,
      },
      {
        ...{ method: 'POST', url: `/v1/consents/${approved}/outcome`, headers },
        honest: { state: 'minted', at: 1 },
      },
      {
        ...{ method: 'POST', url: `/consents/${approved}/approve`, headers: person },
        honest: {
          signature: { scheme: 'eddsa', key_id: 'k'.repeat(43), signature: 'w'.repeat(86) },
        },
      },
      {
        ...{ method: 'POST', url: `/consents/${approved}/decline`, headers: person },
        honest: { reason: 'no' },
      },
      {
        // Without the cookie: a sign-in that works ends the session it came with.
        ...{ method: 'POST', url: '/sign-in/finish', headers: { ...person, cookie: '' } },
        honest: { challenge_id: 'c1', response: { as: 'alice@example.com' } },
      },
    ],
    errors: [],
    // The page is stopped by its own afterEach.
    close: () => Promise.resolve(),
  };
}

export function mountBridge(): Mounted {
  const db = openDatabase(':memory:');
  const clock = () => 1_900_000_000_000;
  const tokens = new TokenStore(db, bridgeRecord(db, clock).append, clock);
  const caller = { subject: 'alice', client_id: 'agent', scopes: ['tasks.write'] };
  const { token } = tokens.issue(caller, 3600);
  const key = randomBytes(32);
  const errors: unknown[] = [];
  const outcome = { kind: 'Success', result: {} } as const;
  const announcements = new Announcements(undefined, clock);
  const nothing = () => Promise.reject(new Error('nothing is upstream'));
  const rs = { relay: nothing, listen: nothing };
  const catalogue = {
    list: () => Promise.resolve([]),
    surface: () => Promise.resolve(NO_SURFACE),
    changed: () => undefined,
  };
  const app = httpApp({
    callers: { local: tokens, oauth: undefined },
    allowedHosts: undefined,
    ports: {
      version: '0',
      dispatcher: {
        dispatch: () => Promise.resolve(outcome),
        acknowledge: () => undefined,
        declinedByClient: () => Promise.resolve(outcome),
        scopesMissing: () => Promise.resolve([]),
      },
      catalogue,
      rs,
      lanes: new Lanes(),
      parked: new ParkedRuns(),
      listeners: new LaneListeners(rs),
      changes: new SurfaceWatch(rs, catalogue),
      codec: callStateCodec(key, 60, (ctx) => callerOf(ctx.http?.authInfo)),
      fallback: 'result',
      waitSeconds: 0,
      ttlSeconds: 300,
      stopping: new AbortController().signal,
      sessions: new LegacySessions(key),
      requestIds: new RequestIds(),
      announcements,
    },
  });
  const headers = {
    ...json,
    host: 'localhost',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
  };
  const rpc = { jsonrpc: '2.0', id: 1 };
  const route = (honest: JsonValue, more: Record<string, string> = {}): Route => ({
    ...{ method: 'POST', url: '/mcp', headers: { ...headers, ...more } },
    honest,
  });
  const call = { name: 'delete_task', arguments: { task_id: 't-1' } };
  const modern = '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  return {
    app,
    routes: [
      route({ ...rpc, method: 'tools/call', params: call }),
      route({ ...rpc, method: 'tools/list', params: {} }),
      route({
        ...rpc,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: { url: {} } },
          clientInfo: { name: 'x', version: '1' },
        },
      }),
      route(
        {
          ...rpc,
          method: 'tools/call',
          params: { ...call, _meta: envelope, inputResponses: { a: {} }, requestState: 'x.y' },
        },
        {
          'mcp-protocol-version': modern,
          'mcp-method': 'tools/call',
          'mcp-name': 'delete_task',
        },
      ),
    ],
    errors,
    close: async () => {
      await app.close();
      announcements.close();
      db.close();
    },
  };
}
