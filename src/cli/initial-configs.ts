/** The configurations a fresh data directory starts with: one machine, loopback only, the example task tracker. */
import type { JsonObject } from '../contract/json.js';
import type { Domain } from './data-directory.js';
import type { Ports } from './ports.js';

const RAR_TYPE = 'consent_bridge_action';
const READ = { scopes: ['tasks.read'], mode: 'open' };
const WRITE = { scopes: ['tasks.write'], mode: 'open' };

/** Public halves of the three client keys, by client id. */
export type ClientKeys = Readonly<Record<'bridge' | 'consent-ui' | 'rs', JsonObject>>;

export function initialConfigs(ports: Ports, keys: ClientKeys): Record<Domain, JsonObject> {
  const local = (domain: Domain): string => `http://127.0.0.1:${ports[domain]}`;
  const listen = (domain: Domain): JsonObject => ({ host: '127.0.0.1', port: ports[domain] });
  // A passkey is bound to a name, never to an IP address: browsers reach the page as localhost.
  const origin = `http://localhost:${ports['consent-ui']}`;
  const webauthn = { rp_id: 'localhost', origins: [origin] };
  const ownKey = (client_id: string): JsonObject => ({ client_id, private_jwk_file: 'client.jwk' });
  const client = (client_id: keyof ClientKeys, ...roles: string[]): JsonObject => ({
    client_id,
    public_jwk: keys[client_id],
    roles,
  });
  return {
    vault: {
      issuer: local('vault'),
      listen: listen('vault'),
      audiences: [local('rs')],
      rar_types: [RAR_TYPE],
      max_ttl_seconds: 600,
      credential_alg: 'ES256',
      webauthn: { ...webauthn, rp_name: 'consent-bridge' },
      clients: [
        { ...client('bridge', 'mint'), agents: ['*'] },
        client('consent-ui', 'ceremony'),
        client('rs', 'directory'),
      ],
      policy: { default: ['subject'], commands: {} },
    },
    rs: {
      resource: local('rs'),
      listen: listen('rs'),
      issuer: local('vault'),
      jwks_uri: `${local('vault')}/.well-known/jwks.json`,
      credential_algs: ['ES256', 'EdDSA'],
      rar_types: [RAR_TYPE],
      webauthn,
      clients: [client('bridge', 'execute')],
      approvers: { trust_on_enrolment: true, directory_url: local('vault') },
      client: ownKey('rs'),
      policy: { default: ['subject'], commands: {} },
      commands: {
        list_tasks: READ,
        get_task: READ,
        create_task: WRITE,
        update_task: WRITE,
        delete_task: { ...WRITE, mode: 'gated' },
      },
    },
    'consent-ui': {
      origin,
      listen: listen('consent-ui'),
      vault: { url: local('vault'), issuer: local('vault') },
      client: ownKey('consent-ui'),
      clients: [client('bridge', 'propose')],
      session_ttl_seconds: 28_800,
      auditors: [],
    },
    bridge: {
      listen: listen('bridge'),
      consent_ui: { url: local('consent-ui'), origin },
      vault: { url: local('vault'), issuer: local('vault') },
      rs: { url: local('rs'), resource: local('rs') },
      client: ownKey('bridge'),
      gate: { key_file: 'gate.key' },
      rar_type: RAR_TYPE,
      ttl_seconds: 300,
      fallback: 'result',
      allowlist: ['delete_task'],
      policy: {
        // `read_only`: what is still offered if somebody takes the gate away.
        list_tasks: { ...READ, read_only: true },
        get_task: { ...READ, read_only: true },
        create_task: WRITE,
        update_task: WRITE,
        delete_task: { ...WRITE, mode: 'gated', binding_message: 'Delete task {task_id}' },
      },
    },
  };
}
