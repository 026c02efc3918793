/** The consent page on a real socket and a real SQLite file, with a clock the test owns. */
import type { FastifyInstance } from 'fastify';
import { SignJWT } from 'jose';
import { type KeyObject, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { Pool } from 'undici';
import { afterEach } from 'vitest';
import { buildApp } from '../../../consent-ui/server/app.js';
import { assetOf } from '../../../consent-ui/server/assets.js';
import type { Config } from '../../../consent-ui/server/config.js';
import { Consents } from '../../../consent-ui/server/consents.js';
import type { Limits } from '../../../consent-ui/server/limits.js';
import { ConsentUiRecord } from '../../../consent-ui/server/record.js';
import { Sessions } from '../../../consent-ui/server/sessions.js';
import { ConsentStore } from '../../../consent-ui/server/store/consent-store.js';
import { openDatabase } from '../../../consent-ui/server/store/database.js';
import { SessionStore } from '../../../consent-ui/server/store/session-store.js';
import { Waiters } from '../../../consent-ui/server/waiters.js';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Form2Payload } from '../../../src/contract/payload.js';
import type { Proposal } from '../../../src/contract/wire.js';
import { Browser, type Json } from './browser.js';
import { FakeVault, KEY_ID } from './fake-vault.js';

export const ORIGIN = 'http://localhost:8421';
export const ALICE = 'alice@example.com';
const ASSETS = new Map([['style.css', assetOf(Buffer.from('body{}'), 'text/css')]]);

export const SIGNATURE = {
  scheme: 'webauthn',
  key_id: KEY_ID,
  credential_id: 'Y3JlZA',
  authenticator_data: 'AAAA',
  client_data_json: 'BBBB',
  signature: 'CCCC',
} as const;

const running: PageUnderTest[] = [];
afterEach(async () => {
  for (const page of running.splice(0)) await page.stop();
});

/** @param options.origin defaults to http://localhost:8421, which requests name in Host and Origin */
export async function startPage(
  options: { origin?: string; limits?: Limits } = {},
): Promise<PageUnderTest> {
  const page = new PageUnderTest(options);
  await page.start();
  running.push(page);
  return page;
}

export class PageUnderTest {
  readonly vault = new FakeVault();
  readonly bridgeKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly origin: string;
  now = 1_800_000_000_000;
  db!: Database.Database;
  consents!: Consents;
  waiters!: Waiters;
  record!: ConsentUiRecord;
  sessionStore!: SessionStore;
  app!: FastifyInstance;
  url!: string;
  http!: Pool;
  private readonly dir = mkdtempSync(join(tmpdir(), 'consent-ui-test-'));
  private jtis = 0;

  constructor(private readonly options: { origin?: string; limits?: Limits }) {
    this.origin = options.origin ?? ORIGIN;
  }

  async start(): Promise<void> {
    const clock = () => this.now;
    this.db = openDatabase(join(this.dir, 'consent-ui.sqlite'));
    this.record = new ConsentUiRecord(this.db, clock);
    this.waiters = new Waiters();
    this.sessionStore = new SessionStore(this.db);
    const store = new ConsentStore(this.db, this.record);
    const examine = this.vault.examine.bind(this.vault);
    this.consents = new Consents({ store, waiters: this.waiters, clock, examine });
    const config = this.config();
    const sessions = new Sessions({
      store: this.sessionStore,
      clock,
      random: randomBytes,
      ttlSeconds: config.session_ttl_seconds,
    });
    const { consents, vault, record } = this;
    const limits = this.options.limits === undefined ? {} : { limits: this.options.limits };
    this.app = await buildApp({
      ...{ config, consents, sessions, vault, record, clock, assets: ASSETS },
      ...limits,
    });
    await this.app.listen({ host: '127.0.0.1', port: 0 });
    this.url = `http://127.0.0.1:${(this.app.server.address() as AddressInfo).port}`;
    this.http = new Pool(this.url, { connections: 20 });
  }

  /** Stops as a crash would leave it, and starts again on the same files. */
  async restart(): Promise<void> {
    await this.halt();
    await this.start();
  }

  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.dir, { recursive: true });
  }

  browser(): Browser {
    return new Browser(this);
  }

  async signedIn(as = ALICE): Promise<Browser> {
    const browser = this.browser();
    await browser.signIn(as);
    return browser;
  }

  /** A call of the bridge: `PUT <id>`, `GET <id>?wait=25`, `POST <id>/cancel`. */
  async bridge(method: 'PUT' | 'GET' | 'POST', path: string, body?: unknown, assertion?: string) {
    const authorization = `Bearer ${assertion ?? (await this.assertion())}`;
    const response = await this.http.request({
      method,
      path: `/v1/consents/${path}`,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.statusCode, body: (await response.body.json()) as Json };
  }

  /** Proposes and returns the consent id. */
  async propose(payload: Partial<Form2Payload> = {}): Promise<string> {
    const proposal = this.proposal(payload);
    const { status } = await this.bridge('PUT', proposal.payload.nonce, proposal);
    if (status !== 201) throw new Error(`not proposed: ${status}`);
    return proposal.payload.nonce;
  }

  proposal(payload: Partial<Form2Payload> = {}): Proposal {
    return {
      payload: {
        v: 2,
        cmd: 'delete_task',
        args: { task_id: 't-42' },
        rar_type: 'consent_bridge_action',
        exp: this.seconds() + 300,
        approver_id: ALICE,
        binding_message: 'Delete task t-42',
        aud: 'http://127.0.0.1:8423',
        client_id: 'claude-desktop',
        nonce: randomBytes(32).toString('base64url'),
        ...payload,
      },
      requested_by: {
        subject: ALICE,
        client_id: payload.client_id ?? 'claude-desktop',
        client_name: 'Claude',
      },
      tool: { title: 'Delete a task' },
    };
  }

  /** The bridge's client assertion, with what the test wants different. */
  assertion(
    claims: JsonObject = {},
    header: { alg?: string; typ?: string } = {},
    key: KeyObject = this.bridgeKey.privateKey,
  ): Promise<string> {
    const iat = this.seconds();
    const jti = `jti-${this.jtis++}`;
    const standard = { iss: 'bridge', sub: 'bridge', aud: this.origin, iat, exp: iat + 60, jti };
    return new SignJWT({ ...standard, ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'client-authentication+jwt', ...header })
      .sign(key);
  }

  seconds(): number {
    return Math.floor(this.now / 1000);
  }

  events(): readonly string[] {
    return this.record.entriesAfter(0).map(({ event }) => event);
  }

  private config(): Config {
    const public_jwk = { ...this.bridgeKey.publicKey.export({ format: 'jwk' }) } as JsonObject;
    return {
      origin: this.origin,
      listen: { host: '127.0.0.1', port: 0 },
      vault: { url: 'http://127.0.0.1:1', issuer: 'http://127.0.0.1:1' },
      client: { client_id: 'consent-ui', private_jwk_file: 'client.jwk' },
      clients: [
        { client_id: 'bridge', public_jwk, roles: ['propose'] },
        { client_id: 'other', public_jwk, roles: ['propose'] },
      ],
      session_ttl_seconds: 3600,
    };
  }

  private async halt(): Promise<void> {
    await this.http.destroy();
    await this.app.close();
    this.db.close();
  }
}
