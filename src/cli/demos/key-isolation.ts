import { createHmac } from 'node:crypto';
import { readFileSync, readlinkSync, readdirSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { canonicalBytes } from '../../contract/canonical.js';
import type { Form2Payload, Signature } from '../../contract/payload.js';
import { CREDENTIAL_TYP } from '../../contract/wire.js';
import { hashOf } from '../attacks.js';
import { DOMAINS, domainDir } from '../data-directory.js';
import { attemptOf } from '../http.js';
import { algOf, octThumbprint, signBytes, signJwt, thumbprint } from '../jwk.js';
import { findKeys } from '../key-search.js';
import type { Narration } from '../narration.js';
import type { Scene } from '../scene.js';
import { createTask } from '../tasks.js';

/** Everything the bridge holds is tried as a key: none signs a consent, none signs a credential. */
export async function demoKeyIsolation(scene: Scene, story: Narration): Promise<void> {
  story.heading('key-isolation: nothing the bridge holds can approve');
  const { agent, takenOver, caller, stack } = scene;
  const directory = domainDir(stack.data, 'bridge');
  const keys = findKeys(directory);
  story.claim(
    keys.length > 0,
    `the bridge's directory holds ${keys.length} usable keys: ${keys.map(({ where }) => where).join(', ')}`,
  );
  const task = await createTask(agent, 'Keep me');
  const payload = takenOver.payload(caller, 'delete_task', { task_id: task });
  const bytes = canonicalBytes(payload, 'client');
  const claims = claimsFor(scene, payload);

  for (const { where, jwk } of keys) {
    const scheme = algOf(jwk) === 'EdDSA' ? 'eddsa' : 'es256';
    const signature: Signature = {
      ...{ scheme, key_id: thumbprint(jwk) },
      signature: signBytes(jwk, bytes).toString('base64url'),
    };
    story.refused(
      `a consent signed with ${where}`,
      { code: 'UnknownApprover', layer: 'vault' },
      attemptOf(await takenOver.mint({ payload, signature }), 'a credential was minted'),
    );
    const credential = signJwt(jwk, { typ: CREDENTIAL_TYP }, claims);
    const signed = { payload, signature };
    const execution = { command: payload.cmd, args: payload.args, caller, credential, signed };
    story.refused(
      `a credential signed with ${where}`,
      { code: 'UnknownIssuer', layer: 'rs' },
      attemptOf(await takenOver.execute(execution), 'it ran'),
    );
  }

  const { gate } = stack.configs.bridge;
  if (gate !== undefined) {
    const secret = readFileSync(join(directory, gate.key_file), 'utf8').trim();
    const key = Buffer.from(secret, 'base64url');
    const mac = createHmac('sha256', key).update(bytes).digest('hex');
    const signature: Signature = {
      ...{ scheme: 'hmac-sha256', key_id: octThumbprint(key), signature: mac },
    };
    story.refused(
      'a consent signed with the gate key as a shared secret',
      { code: 'UnknownApprover', layer: 'vault' },
      attemptOf(await takenOver.mint({ payload, signature }), 'a credential was minted'),
    );
  }
  if (stack.bridgePid !== undefined) reportOpenFiles(stack.data, stack.bridgePid, story);
}

function claimsFor({ stack, caller }: Scene, payload: Form2Payload) {
  const consent = { hash: hashOf({ payload }), form: 2, nonce: payload.nonce };
  return {
    ...{ iss: stack.configs.vault.issuer, aud: payload.aud, sub: payload.approver_id },
    ...{
      client_id: caller.client_id,
      iat: payload.exp - 300,
      exp: payload.exp,
      jti: payload.nonce,
    },
    authorization_details: [{ type: payload.rar_type, command: payload.cmd, args: payload.args }],
    consent,
  };
}

/** Linux only: what the running bridge has open. */
function reportOpenFiles(data: string, pid: number, story: Narration): void {
  let files: string[];
  try {
    files = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  } catch {
    return;
  }
  const foreign = DOMAINS.filter((domain) => domain !== 'bridge').map(
    (domain) => resolve(domainDir(data, domain)) + sep,
  );
  const open = files.filter((file) => foreign.some((directory) => file.startsWith(directory)));
  story.claim(
    open.length === 0,
    `the running bridge has ${open.length} files of vault, rs and consent-ui open`,
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
