/** A vault on a real SQLite file in a directory of its own, its clients, its clock, and its HTTP interface on a socket. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Layer, RefusalCode } from '../../../../src/contract/errors.js';
import type { SignedPayload } from '../../../../src/contract/payload.js';
import {
  CLIENT_ASSERTION_TYPE,
  SIGNED_PAYLOAD_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../../../src/contract/wire.js';
import { vaultApp } from '../../../../vault/app.js';
import type { VaultConfig } from '../../../../vault/config.js';
import { loadConfig } from '../../../../vault/config.js';
import type { MintRequest } from '../../../../vault/oauth.js';
import { OAuthVault } from '../../../../vault/oauth.js';
import { addKey } from '../../../../vault/operator/add-key.js';
import { createVaultService } from '../../../../vault/service.js';
import { openVaultStore } from '../../../../vault/store/vault-store.js';
import { createSoftwareAuthenticator } from '../../../support/software-authenticator.js';
import type { AuthenticatorSettings } from '../../../support/software-authenticator.js';
import { invite } from '../../../../vault/operator/invite.js';
import type { RawSigner } from './signers.js';
import { NOW, rawSigner, RESOURCE } from './signers.js';

export const ISSUER = 'http://127.0.0.1:8422';
export const ORIGIN = 'http://localhost:8421';

export type ClientId = 'bridge' | 'consent-ui' | 'rs' | 'stranger';

export const clientKeys: Record<ClientId, RawSigner> = {
  bridge: rawSigner('es256'),
  'consent-ui': rawSigner('es256'),
  rs: rawSigner('es256'),
  stranger: rawSigner('es256'),
};

export const configFile = () => ({
  issuer: ISSUER,
  listen: { host: '127.0.0.1', port: 0 },
  audiences: [RESOURCE],
  rar_types: ['consent_bridge_action'],
  max_ttl_seconds: 600,
  credential_alg: 'ES256',
  webauthn: { rp_id: 'localhost', rp_name: 'consent-bridge', origins: [ORIGIN] },
  clients: [
    {
      client_id: 'bridge',
      public_jwk: clientKeys.bridge.publicJwk,
      roles: ['mint'],
      agents: ['agent-1'],
    },
    {
      client_id: 'consent-ui',
      public_jwk: clientKeys['consent-ui'].publicJwk,
      roles: ['ceremony'],
    },
    { client_id: 'rs', public_jwk: clientKeys.rs.publicJwk, roles: ['directory'] },
  ],
  policy: { default: ['subject'], commands: {} },
});

/** A data directory with a configuration, gone when the test is over. */
export function dataDirectory(changes: Record<string, unknown> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'vault-test-'));
  onTestFinished(() => {
    rmSync(directory, { recursive: true, force: true });
  });
  writeConfig(directory, changes);
  return directory;
}

export function writeConfig(directory: string, changes: Record<string, unknown> = {}): void {
  const text = JSON.stringify({ ...configFile(), ...changes });
  writeFileSync(join(directory, 'config.json'), text, { mode: 0o600 });
}

export type TestVault = ReturnType<typeof openTestVault>;

/** Opens the vault in the directory; open it again after `close` to restart it. */
export function openTestVault(directory: string, time: { ms: number } = { ms: NOW * 1000 }) {
  const clock = () => time.ms;
  const config: VaultConfig = loadConfig(directory);
  const store = openVaultStore(directory, clock);
  const log: string[] = [];
  const service = createVaultService(config, store, {
    clock,
    random: randomBytes,
    log: (line) => log.push(line),
  });
  let closed = false;
  const close = () => {
    if (!closed) store.close();
    closed = true;
  };
  onTestFinished(close);
  const operator = { store, clock, random: randomBytes };
  return {
    directory,
    time,
    config,
    store,
    service,
    operator,
    log,
    close,
    /** The vault as the bridge sees it for one presentation. */
    as: (request: Partial<MintRequest> = {}) =>
      new OAuthVault(service, {
        clientId: 'bridge',
        mayActFor: (agent) => agent === 'agent-1',
        resource: RESOURCE,
        subject: 'alice@example.com',
        ...request,
      }),
    /** A raw key, enrolled by the operator. */
    enrolRaw: async (scheme: 'es256' | 'eddsa' = 'eddsa', approver = 'alice@example.com') => {
      const signer = rawSigner(scheme);
      await addKey(operator, approver, signer.publicJwk, 'test key');
      return signer;
    },
    /** A passkey, enrolled through the ceremony. */
    enrolPasskey: async (
      settings: Partial<AuthenticatorSettings> = {},
      approver = 'alice@example.com',
    ) => {
      const passkey = createSoftwareAuthenticator({
        rpId: 'localhost',
        origin: ORIGIN,
        ...settings,
      });
      const { invite: secret } = await invite(operator, approver, 900);
      const { enrolment_id, options } = await service.enrolment.options(secret);
      await service.enrolment.finish(enrolment_id, passkey.create(options), 'test passkey');
      return passkey;
    },
    events: () => [...store.record.after(0)].map(({ event }) => event),
    entries: () => [...store.record.after(0)],
  };
}

/** A client assertion (RFC 7523), with claims and header to falsify. */
export function assertion(
  client: ClientId,
  claims: Record<string, string | number> = {},
  header: Record<string, string> = {},
  now: number = NOW,
): string {
  return clientKeys[client].jwt(
    { typ: 'client-authentication+jwt', ...header },
    {
      iss: client,
      sub: client,
      aud: ISSUER,
      iat: now,
      exp: now + 60,
      jti: randomBytes(8).toString('hex'),
      ...claims,
    },
  );
}

/** Every member an answer of the vault may have; a test reads those its answer should have. */
export interface Body {
  readonly code?: RefusalCode;
  readonly layer?: Layer;
  readonly path?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly access_token?: string;
  readonly jti?: string;
  readonly approver_id: string;
  readonly key_id: string;
  readonly enrolment_id: string;
  readonly challenge_id: string;
  readonly options: PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;
  readonly keys: readonly { readonly key_id?: string; readonly kid?: string }[];
}

async function answer(response: Response) {
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cacheControl: response.headers.get('cache-control'),
    body: (await response.json()) as Body,
  };
}

function bearer(client: ClientId | undefined): Record<string, string> {
  return client === undefined ? {} : { authorization: `Bearer ${assertion(client)}` };
}

/** The vault's HTTP interface, listening. */
export async function listen({ service }: TestVault) {
  const app = vaultApp(service);
  onTestFinished(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    get: async (path: string, client?: ClientId) =>
      answer(await fetch(url + path, { headers: bearer(client) })),
    /** A body that is text or bytes goes out as it is. */
    post: async (path: string, body: object | string, client?: ClientId) =>
      answer(
        await fetch(url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...bearer(client) },
          body:
            typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      ),
    token: async (form: Record<string, string> | string) =>
      answer(
        await fetch(`${url}/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
        }),
      ),
  };
}

/** The parameters of a token exchange for this signed payload, as the bridge sends them. */
export function tokenForm(
  signed: SignedPayload,
  changes: Record<string, string | undefined> = {},
): Record<string, string> {
  const { rar_type: type, cmd: command, args } = signed.payload;
  const form = {
    grant_type: TOKEN_EXCHANGE_GRANT,
    subject_token: Buffer.from(JSON.stringify(signed)).toString('base64url'),
    subject_token_type: SIGNED_PAYLOAD_TOKEN_TYPE,
    authorization_details: JSON.stringify([{ type, command, args }]),
    resource: RESOURCE,
    requested_subject: signed.payload.approver_id,
    mint_id: randomBytes(24).toString('base64url'),
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: assertion('bridge'),
    ...changes,
  };
  const given: [string, string | undefined][] = Object.entries(form);
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
