/**
 * A passkey in software, for tests: what `navigator.credentials` and an authenticator do together (WebAuthn L3 sections
 * 5.1.3, 5.1.4 and 6.3), with every part of an answer open to falsification.
 */
import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { JsonObject } from '../../src/contract/json.js';
import type { WebauthnSignature } from '../../src/contract/payload.js';

export type AuthenticatorAlgorithm = 'ES256' | 'EdDSA' | 'RS256';

export const FLAGS = { UP: 0x01, UV: 0x04, BE: 0x08, BS: 0x10, AT: 0x40, ED: 0x80 } as const;

export interface AuthenticatorSettings {
  readonly rpId: string;
  readonly origin: string;
  readonly alg?: AuthenticatorAlgorithm;
  /** Keep a signature counter that goes up by one; without it the counter stays 0, as with synced passkeys. */
  readonly counts?: boolean;
}

/** What to falsify in one answer. The signature is made over the falsified answer, as an attacker's device would. */
export interface Falsification {
  /** In place of UP and UV (and AT at registration). */
  readonly flags?: number;
  readonly counter?: number;
  readonly rpId?: string;
  /** Octets after the fixed part of the authenticator data. */
  readonly trailing?: Uint8Array;
  /** Members put over those of the client data; undefined takes one away. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** The whole client data, as text. */
  readonly clientDataText?: string;
  /** At registration, in place of the real ones. */
  readonly credentialId?: Uint8Array;
  readonly coseKey?: Uint8Array;
  readonly attestation?: {
    readonly fmt: string;
    readonly statement: Readonly<Record<string, string | number | Uint8Array | Uint8Array[]>>;
  };
}

export interface Credential {
  /** Base64url. */
  readonly id: string;
  /** RFC 7638 thumbprint of {@link publicJwk}. */
  readonly keyId: string;
  readonly publicJwk: JsonObject;
  readonly privateKey: KeyObject;
  readonly userHandle: string;
  counter: number;
}

export type SoftwareAuthenticator = ReturnType<typeof createSoftwareAuthenticator>;

export function createSoftwareAuthenticator(settings: AuthenticatorSettings) {
  const alg = settings.alg ?? 'ES256';
  const credentials: Credential[] = [];

  function clientDataJson(
    type: string,
    challenge: string,
    { clientData, clientDataText }: Falsification,
  ): Buffer {
    const honest = { type, challenge, origin: settings.origin, crossOrigin: false };
    return Buffer.from(clientDataText ?? JSON.stringify({ ...honest, ...clientData }));
  }

  function authenticatorData(
    flags: number,
    counter: number,
    rpId: string,
    rest: Uint8Array,
  ): Buffer {
    const fixed = Buffer.alloc(5);
    fixed.writeUInt8(flags, 0);
    fixed.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), fixed, rest]);
  }

  function count(credential: Credential): number {
    if (settings.counts === true) credential.counter += 1;
    return credential.counter;
  }

  function assertion(credential: Credential, challenge: string, falsify: Falsification) {
    const data = authenticatorData(
      falsify.flags ?? FLAGS.UP | FLAGS.UV,
      falsify.counter ?? count(credential),
      falsify.rpId ?? settings.rpId,
      falsify.trailing ?? new Uint8Array(),
    );
    const clientData = clientDataJson('webauthn.get', challenge, falsify);
    const digest = alg === 'EdDSA' ? null : 'sha256';
    const signature = sign(
      digest,
      Buffer.concat([data, sha256(clientData)]),
      credential.privateKey,
    );
    return {
      authenticatorData: data.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      signature: signature.toString('base64url'),
    };
  }

  /** The credential named by `id`, or the newest. */
  function credential(id?: string): Credential {
    const found = id === undefined ? credentials.at(-1) : credentials.find((c) => c.id === id);
    if (found === undefined) throw new Error('NotAllowedError: no such credential');
    return found;
  }

  return {
    credentials,
    credential,

    /** `navigator.credentials.create()`: makes a discoverable credential, attestation none. */
    create(
      options: PublicKeyCredentialCreationOptionsJSON,
      falsify: Falsification = {},
    ): RegistrationResponseJSON {
      const excluded = options.excludeCredentials ?? [];
      if (excluded.some(({ id }) => credentials.some((mine) => mine.id === id))) {
        throw new Error('InvalidStateError: already registered');
      }
      const made = newCredential(alg, options.user.id, falsify.credentialId);
      credentials.push(made.credential);
      const id = Buffer.from(made.credential.id, 'base64url');
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(id.length);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        idLength,
        id,
        falsify.coseKey ?? made.coseKey,
      ]);
      const data = authenticatorData(
        falsify.flags ?? FLAGS.UP | FLAGS.UV | FLAGS.AT,
        falsify.counter ?? made.credential.counter,
        falsify.rpId ?? settings.rpId,
        Buffer.concat([attested, falsify.trailing ?? new Uint8Array()]),
      );
      const { fmt, statement } = falsify.attestation ?? { fmt: 'none', statement: {} };
      const attestationObject = cborMap([
        [cborText('fmt'), cborText(fmt)],
        [
          cborText('attStmt'),
          cborMap(Object.entries(statement).map(([name, value]) => [cborText(name), cbor(value)])),
        ],
        [cborText('authData'), cborBytes(data)],
      ]);
      return {
        id: made.credential.id,
        rawId: made.credential.id,
        type: 'public-key',
        clientExtensionResults: { credProps: { rk: true } },
        response: {
          clientDataJSON: clientDataJson('webauthn.create', options.challenge, falsify).toString(
            'base64url',
          ),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      };
    },

    /** `navigator.credentials.get()`: signs with an allowed credential, or the newest. */
    get(
      options: Pick<PublicKeyCredentialRequestOptionsJSON, 'challenge' | 'allowCredentials'>,
      falsify: Falsification = {},
    ): AuthenticationResponseJSON {
      const used = credential(options.allowCredentials?.[0]?.id);
      return {
        id: used.id,
        rawId: used.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { ...assertion(used, options.challenge, falsify), userHandle: used.userHandle },
      };
    },

    /** What the consent page sends after signing these canonical bytes: the signature beside the payload. */
    sign(bytes: Uint8Array, falsify: Falsification = {}, id?: string): WebauthnSignature {
      const used = credential(id);
      const made = assertion(used, sha256(bytes).toString('base64url'), falsify);
      return {
        scheme: 'webauthn',
        key_id: used.keyId,
        credential_id: used.id,
        authenticator_data: made.authenticatorData,
        client_data_json: made.clientDataJSON,
        signature: made.signature,
      };
    },
  };
}

function newCredential(
  alg: AuthenticatorAlgorithm,
  userHandle: string,
  id: Uint8Array = randomBytes(32),
) {
  const { publicKey, privateKey } = generate(alg);
  const jwk = publicKey.export({ format: 'jwk' });
  const member = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] ?? '', 'base64url');
  const text = (name: 'x' | 'y' | 'n' | 'e') => jwk[name] ?? '';
  const kinds = {
    ES256: {
      publicJwk: { crv: 'P-256', kty: 'EC', x: text('x'), y: text('y') },
      cose: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, member('x')],
        [-3, member('y')],
      ],
    },
    EdDSA: {
      publicJwk: { crv: 'Ed25519', kty: 'OKP', x: text('x') },
      cose: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, member('x')],
      ],
    },
    RS256: {
      publicJwk: { e: text('e'), kty: 'RSA', n: text('n') },
      cose: [
        [1, 3],
        [3, -257],
        [-1, member('n')],
        [-2, member('e')],
      ],
    },
  } as const;
  const { publicJwk, cose } = kinds[alg];
  const credential: Credential = {
    id: Buffer.from(id).toString('base64url'),
    keyId: sha256(JSON.stringify(publicJwk)).toString('base64url'),
    publicJwk,
    privateKey,
    userHandle,
    counter: 0,
  };
  const entries = cose.map(([label, value]): [Buffer, Buffer] => [
    cborInt(label),
    typeof value === 'number' ? cborInt(value) : cborBytes(value),
  ]);
  return { credential, coseKey: cborMap(entries) };
}

function generate(alg: AuthenticatorAlgorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  if (alg === 'EdDSA') return generateKeyPairSync('ed25519');
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest();
}

/** RFC 8949 section 3: major type and argument. */
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((major << 5) | argument);
  if (argument < 256) return Buffer.of((major << 5) | 24, argument);
  return Buffer.of((major << 5) | 25, argument >> 8, argument & 0xff);
}

function cborInt(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(value: Uint8Array): Buffer {
  return Buffer.concat([cborHead(2, value.length), value]);
}

function cborText(value: string): Buffer {
  const octets = Buffer.from(value);
  return Buffer.concat([cborHead(3, octets.length), octets]);
}

function cbor(value: string | number | Uint8Array | Uint8Array[]): Buffer {
  if (typeof value === 'string') return cborText(value);
  if (typeof value === 'number') return cborInt(value);
  if (!Array.isArray(value)) return cborBytes(value);
  return Buffer.concat([cborHead(4, value.length), ...value.map(cborBytes)]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
