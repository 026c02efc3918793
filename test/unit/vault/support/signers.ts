import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { canonicalBytes } from '../../../../src/contract/canonical.js';
import type { JsonObject } from '../../../../src/contract/json.js';
import type {
  Form1Payload,
  Form2Payload,
  Payload,
  SignedPayload,
} from '../../../../src/contract/payload.js';
import { octJwk } from '../../../../vault/memory-directory.js';
import { sha256Base64url } from '../../../../vault/digest.js';
import { publicKeyOf } from '../../../../vault/public-key.js';
import type {
  Falsification,
  SoftwareAuthenticator,
} from '../../../support/software-authenticator.js';

/** A moment for tests: POSIX seconds. */
export const NOW = 1_779_315_000;
export const RESOURCE = 'http://127.0.0.1:8423';

let consents = 0;

export function form1(changes: Partial<Form1Payload> = {}): Form1Payload {
  return {
    cmd: 'delete_task',
    args: { task_id: 't-42' },
    rar_type: 'consent_bridge_action',
    exp: NOW + 300,
    approver_id: 'alice@example.com',
    binding_message: 'Delete the task t-42?',
    ...changes,
  };
}

/** A payload no other call returns: each has its own nonce. */
export function form2(changes: Partial<Form2Payload> = {}): Form2Payload {
  consents += 1;
  return {
    ...form1(),
    v: 2,
    aud: RESOURCE,
    client_id: 'agent-1',
    nonce: `consent-${consents}`,
    ...changes,
  };
}

export interface RawSigner {
  readonly publicJwk: JsonObject;
  readonly keyId: string;
  readonly sign: (payload: Payload) => SignedPayload;
  /** A JWT signed with the same key. */
  readonly jwt: (header: JsonObject, claims: JsonObject) => string;
}

export function rawSigner(scheme: 'es256' | 'eddsa'): RawSigner {
  const { publicKey, privateKey } =
    scheme === 'es256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const { keyId, jwk } = publicKeyOf(publicKey);
  const make = (data: Uint8Array) =>
    sign(scheme === 'es256' ? 'sha256' : null, data, {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url');
  return {
    publicJwk: jwk,
    keyId,
    sign: (payload) => ({
      payload,
      signature: { scheme, key_id: keyId, signature: make(canonicalBytes(payload, 'vault')) },
    }),
    jwt: (header, claims) => {
      const alg = scheme === 'es256' ? 'ES256' : 'EdDSA';
      const input = [{ alg, kid: keyId, ...header }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.');
      return `${input}.${make(Buffer.from(input))}`;
    },
  };
}

export function signWithPasskey(
  passkey: SoftwareAuthenticator,
  payload: Payload,
  falsify: Falsification = {},
): SignedPayload {
  return { payload, signature: passkey.sign(canonicalBytes(payload, 'vault'), falsify) };
}

export function signWithHmac(secret: string, payload: Payload): SignedPayload {
  const mac = createHmac('sha256', secret).update(canonicalBytes(payload, 'vault')).digest('hex');
  const key_id = sha256Base64url(JSON.stringify(octJwk(secret)));
  return { payload, signature: { scheme: 'hmac-sha256', key_id, signature: mac } };
}
