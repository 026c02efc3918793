/**
 * Two real trust domains on directories of their own (vault and resource server), one approver with a passkey known to
 * both, and as many signed payloads as asked for. What is measured begins with a signed payload and ends with an outcome.
 */
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainDir } from '../../dist/src/cli/data-directory.js';
import { thumbprint } from '../../dist/src/cli/jwk.js';
import { freePorts } from '../../dist/src/cli/ports.js';
import { provision } from '../../dist/src/cli/provision.js';
import { canonicalBytes } from '../../dist/src/contract/canonical.js';
import { openDomainStores } from '../../dist/rs/store/domain-stores.js';
import { openVaultStore } from '../../dist/vault/store/vault-store.js';

export const SUBJECT = 'alice@example.com';
export const CALLER = {
  subject: SUBJECT,
  client_id: 'agent',
  scopes: ['tasks.read', 'tasks.write'],
};
/** Gated here although it only reads: the tool's own writes are its own business, and would be measured with ours. */
export const COMMAND = 'get_task';
export const clock = () => Date.now();
export const newJti = () =>
  clock().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');

/** @returns a provisioned pair of data directories; `configure` may change the two configurations before they are written. */
export async function createWorld(configure = () => undefined) {
  const data = mkdtempSync(join(tmpdir(), 'consent-bridge-bench-'));
  provision(data, await freePorts());
  const dirs = { vault: domainDir(data, 'vault'), rs: domainDir(data, 'rs') };
  const configs = {
    vault: readJson(dirs.vault, 'config.json'),
    rs: readJson(dirs.rs, 'config.json'),
  };
  configs.rs.commands[COMMAND] = { scopes: ['tasks.write'], mode: 'gated' };
  configs.rs.approvers = { trust_on_enrolment: false };
  delete configs.rs.client;
  configure(configs);
  for (const domain of ['vault', 'rs']) {
    writeFileSync(join(dirs[domain], 'config.json'), JSON.stringify(configs[domain]));
  }
  const passkey = createPasskey(configs.vault.webauthn);
  await enrol(dirs, passkey);
  return {
    dirs,
    configs,
    passkey,
    clientJwk: readJson(domainDir(data, 'bridge'), 'client.jwk'),
    /** @returns `count` signed payloads, each good for `ttl` seconds from now. */
    signedPayloads: (count, ttl = 590) =>
      Array.from({ length: count }, () => signedPayload(configs, passkey, ttl)),
    remove: () => rmSync(data, { recursive: true, force: true }),
  };
}

function readJson(dir, name) {
  return JSON.parse(readFileSync(join(dir, name), 'utf8'));
}

/** A synced passkey: P-256, user verified, a counter that stays 0. */
function createPasskey({ rp_id: rpId, origins: [origin] }) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicJwk = { kty, crv, x, y };
  const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([0x05, 0, 0, 0, 0])]);
  const keyId = thumbprint(publicJwk);
  const credentialId = randomBytes(32).toString('base64url');
  return {
    keyId,
    credentialId,
    publicJwk,
    /** What a browser would send back for a challenge that is SHA-256 of the bytes. */
    sign(bytes) {
      const challenge = sha256(bytes).toString('base64url');
      const clientData = Buffer.from(
        JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }),
      );
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      return {
        scheme: 'webauthn',
        key_id: keyId,
        credential_id: credentialId,
        authenticator_data: authenticatorData.toString('base64url'),
        client_data_json: clientData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      };
    },
  };
}

async function enrol(dirs, { keyId, credentialId, publicJwk }) {
  const row = {
    key_id: keyId,
    approver_id: SUBJECT,
    scheme: 'webauthn',
    credential_id: credentialId,
    label: 'bench',
    created_at: Math.floor(clock() / 1000),
  };
  const vault = openVaultStore(dirs.vault, clock);
  await vault.commits.run(() =>
    vault.approverKeys.add({
      ...row,
      public_jwk: JSON.stringify(publicJwk),
      cose_key: null,
      counter: 0,
      revoked_at: null,
    }),
  );
  vault.close();
  const rs = openDomainStores(dirs.rs, clock);
  await rs.commits.run(() => rs.approvers.put({ ...row, public_jwk: publicJwk }));
  rs.close();
}

/** A typical action in form 2: 0.3 kB of canonical bytes. */
export function typicalPayload({ rs }, exp) {
  return {
    v: 2,
    cmd: COMMAND,
    args: { task_id: 't-1' },
    rar_type: rs.rar_types[0],
    exp,
    approver_id: SUBJECT,
    binding_message: 'Read task t-1 of the release checklist, with its notes',
    aud: rs.resource,
    client_id: CALLER.client_id,
    nonce: randomBytes(32).toString('base64url'),
  };
}

function signedPayload(configs, passkey, ttl) {
  const payload = typicalPayload(configs, Math.floor(clock() / 1000) + ttl);
  return { payload, signature: passkey.sign(canonicalBytes(payload, 'client')) };
}

function sha256(data) {
  return createHash('sha256').update(data).digest();
}
