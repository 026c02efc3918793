/** A resource server on a real socket with real SQLite files, a hostile vault beside it, and an approver with keys. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalBytes, formOf } from '../../../src/contract/canonical.js';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Form2Payload, Payload, SignedPayload } from '../../../src/contract/payload.js';
import type { RecordEntry } from '../../../src/contract/wire.js';
import { rsConfig } from '../../../rs/config.js';
import { seedTasks, trust } from '../../../rs/operator.js';
import type { Composed } from '../../../rs/serve.js';
import { compose } from '../../../rs/serve.js';
import { openDomainStores } from '../../../rs/store/domain-stores.js';
import { FakeVault } from './fake-vault.js';
import type { KeyPair } from './keys.js';
import { b64, credentialIdOf, jti, jws, keyPair, sha256, signRaw } from './keys.js';

export const RESOURCE = 'http://127.0.0.1:8423';
export const ISSUER = 'http://127.0.0.1:8422';
export const START_MS = 1_900_000_000_000;

export interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export class Fixture {
  nowMs = START_MS;
  readonly dir = mkdtempSync(join(tmpdir(), 'rs-'));
  readonly bridge = keyPair('ES256');
  readonly own = keyPair('ES256');
  readonly alice = keyPair('ES256');
  readonly bob = keyPair('EdDSA');
  readonly vault = new FakeVault();
  readonly errors: unknown[] = [];
  /** What upstreams wrote to stderr. */
  readonly printed: string[] = [];
  readonly clock = () => this.nowMs;
  composed: Composed | undefined;
  url = '';

  config(): Record<string, unknown> {
    const open = (scope: string) => ({ scopes: [scope], mode: 'open' });
    return {
      resource: RESOURCE,
      listen: { host: '127.0.0.1', port: 0 },
      issuer: ISSUER,
      jwks_uri: `${this.vault.url}/.well-known/jwks.json`,
      credential_algs: ['ES256', 'EdDSA'],
      rar_types: ['consent_bridge_action'],
      webauthn: { rp_id: 'localhost', origins: ['http://localhost:8421'] },
      clients: [
        { client_id: 'bridge', public_jwk: this.bridge.jwk, roles: ['execute'] },
        { client_id: 'other-bridge', public_jwk: this.bob.jwk, roles: ['execute'] },
        { client_id: 'watcher', public_jwk: this.alice.jwk, roles: [] },
        { client_id: 'second', public_jwk: this.own.jwk, roles: ['execute'] },
      ],
      approvers: { trust_on_enrolment: false },
      policy: { default: ['subject'], commands: {} },
      commands: {
        list_tasks: open('tasks.read'),
        get_task: open('tasks.read'),
        create_task: open('tasks.write'),
        update_task: { scopes: ['tasks.write'], mode: 'gated' },
        delete_task: { scopes: ['tasks.write'], mode: 'gated' },
      },
    };
  }

  async start(changes: Record<string, unknown> = {}): Promise<this> {
    if (this.vault.url === '') {
      await this.vault.listen();
      seedTasks(this.dir, this.clock, { titles: ['one', 'two', 'three'], ifEmpty: true });
      await this.trust('alice', this.alice);
    }
    const around = {
      dataDir: this.dir,
      clock: this.clock,
      newJti: () => jti(this.nowMs),
      reportError: (error: unknown) => this.errors.push(error),
      env: process.env,
      print: (line: string) => this.printed.push(line),
    };
    this.composed = await compose(rsConfig.parse({ ...this.config(), ...changes }), around);
    this.url = await this.composed.app.listen({ host: '127.0.0.1', port: 0 });
    return this;
  }

  async stop(): Promise<void> {
    await this.composed?.close();
    this.composed = undefined;
  }

  async restart(changes: Record<string, unknown> = {}): Promise<void> {
    await this.stop();
    await this.start(changes);
  }

  async close(): Promise<void> {
    await this.stop();
    await this.vault.close();
    rmSync(this.dir, { recursive: true });
  }

  /** Pins a raw key, or (with `webauthn`) a passkey. */
  trust(approver: string, key: KeyPair, webauthn = false) {
    const credential = webauthn ? { credentialId: credentialIdOf(key) } : {};
    const publicJwk = JSON.stringify(key.jwk);
    return trust(this.dir, this.clock, { approver, publicJwk, ...credential });
  }

  get exp(): number {
    return Math.floor(this.nowMs / 1000) + 300;
  }

  payload(changes: Partial<Form2Payload> = {}): Form2Payload {
    return {
      v: 2,
      cmd: 'delete_task',
      args: { task_id: 't-1' },
      rar_type: 'consent_bridge_action',
      exp: this.exp,
      approver_id: 'alice',
      binding_message: 'Delete task t-1',
      aud: RESOURCE,
      client_id: 'agent',
      nonce: jti(this.nowMs),
      ...changes,
    };
  }

  /** What an honest vault claims of a payload. */
  claims(payload: Payload, changes: object = {}) {
    const form = formOf(payload);
    const bound = 'v' in payload ? { client_id: payload.client_id } : {};
    return {
      iss: ISSUER,
      aud: RESOURCE,
      sub: payload.approver_id,
      ...bound,
      iat: Math.floor(this.nowMs / 1000),
      exp: payload.exp,
      jti: jti(this.nowMs),
      authorization_details: [{ type: payload.rar_type, command: payload.cmd, args: payload.args }],
      consent: {
        hash: b64(sha256(canonicalBytes(payload, 'rs'))),
        form,
        ...('v' in payload ? { nonce: payload.nonce } : {}),
      },
      ...changes,
    };
  }

  /** An honest call: signed by alice, minted by the vault, sent as agreed. Everything can be replaced. */
  request(
    changes: { payload?: Payload; claims?: object; signed?: SignedPayload; body?: object } = {},
  ) {
    const payload = changes.payload ?? this.payload();
    return {
      command: payload.cmd,
      args: payload.args,
      caller: this.caller(),
      credential: this.vault.mint(this.claims(payload, changes.claims)),
      signed: changes.signed ?? signRaw(this.alice, payload),
      ...changes.body,
    };
  }

  caller(changes: object = {}) {
    return {
      subject: 'alice',
      client_id: 'agent',
      scopes: ['tasks.read', 'tasks.write'],
      ...changes,
    };
  }

  serviceAssertion(changes: object = {}, header: object = {}, key = this.bridge): string {
    const iat = Math.floor(this.nowMs / 1000);
    const claims = { iss: 'bridge', sub: 'bridge', aud: RESOURCE, iat, exp: iat + 60 };
    return jws(
      key,
      { alg: 'ES256', typ: 'client-authentication+jwt', kid: key.keyId, ...header },
      { ...claims, jti: jti(this.nowMs), ...changes },
    );
  }

  async http(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.serviceAssertion()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer: Answer = { status: response.status, body: await response.json() };
    return answer;
  }

  execute(body: object): Promise<Answer> {
    return this.http('POST', '/v1/execute', JSON.stringify(body));
  }

  /** An open call as the agent. */
  open(command: string, args: JsonObject, caller: object = {}): Promise<Answer> {
    return this.execute({ command, args, caller: this.caller(caller) });
  }

  /** The refusal code, or the status of the outcome. */
  async verdict(body: object): Promise<string> {
    const answer = await this.execute(body);
    return String(answer.body.code ?? answer.body.status);
  }

  async taskIds(): Promise<string[]> {
    const { body } = await this.open('list_tasks', {});
    const { tasks } = body.result as { tasks: { id: string }[] };
    return tasks.map((task) => task.id);
  }

  record(): RecordEntry[] {
    const stores = openDomainStores(this.dir, this.clock);
    const entries = [...stores.record.after(0)];
    stores.close();
    return entries;
  }
}
