/**
 * An authenticator in software: one discoverable ES256 credential, user verified, attestation `none`
 * (WebAuthn L3 sections 6.1, 6.5.1 and 8.7). It plays the person's passkey where no browser is wanted; a real
 * passkey's private key never leaves its device, this one never leaves this object.
 */
import type { JsonWebKey } from 'node:crypto';
import { createHash, createPrivateKey, randomBytes, sign } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { WebauthnSignature } from '../contract/payload.js';
import { generateJwk, publicJwk, thumbprint } from './jwk.js';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_DATA = 0x40;

export class SoftwarePasskey {
  readonly credentialId = randomBytes(32).toString('base64url');
  readonly publicJwk: ReturnType<typeof publicJwk>;
  /** RFC 7638 thumbprint of the public key. */
  readonly keyId: string;
  private readonly jwk: JsonWebKey = generateJwk('ES256');
  private userHandle: string | undefined;

  /** @param origin the page's origin, which a browser would write into clientDataJSON. */
  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {
    this.publicJwk = publicJwk(this.jwk);
    this.keyId = thumbprint(this.jwk);
  }

  /** Answers `navigator.credentials.create`. */
  register(options: PublicKeyCredentialCreationOptionsJSON): RegistrationResponseJSON {
    this.userHandle = options.user.id;
    const id = Buffer.from(this.credentialId, 'base64url');
    const idLength = Buffer.from([id.length >> 8, id.length & 0xff]);
    const aaguid = Buffer.alloc(16);
    const attested = Buffer.concat([aaguid, idLength, id, this.coseKey()]);
    const authData = Buffer.concat([this.authenticatorData(ATTESTED_DATA), attested]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
      response: {
        clientDataJSON: this.clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: attestationNone(authData).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers `navigator.credentials.get` for a base64url challenge. */
  authenticate(challenge: string): AuthenticationResponseJSON {
    const clientData = this.clientData('webauthn.get', challenge);
    const authData = this.authenticatorData(0);
    const key = createPrivateKey({ key: this.jwk, format: 'jwk' });
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, key).toString('base64url'),
        ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
      },
    };
  }

  /** Signs canonical bytes as the consent page does: the challenge is their SHA-256. */
  sign(bytes: Uint8Array): WebauthnSignature {
    const { response } = this.authenticate(sha256(bytes).toString('base64url'));
    return {
      scheme: 'webauthn',
      key_id: this.keyId,
      credential_id: this.credentialId,
      authenticator_data: response.authenticatorData,
      client_data_json: response.clientDataJSON,
      signature: response.signature,
    };
  }

  /** rpIdHash, flags, and a counter that stays 0 as with synced passkeys. */
  private authenticatorData(flags: number): Buffer {
    const bits = Buffer.from([USER_PRESENT | USER_VERIFIED | flags]);
    return Buffer.concat([sha256(Buffer.from(this.rpId)), bits, Buffer.alloc(4)]);
  }

  private clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }),
    );
  }

  /** COSE_Key (RFC 9053 section 7.1.1) as CBOR: {1: EC2, 3: ES256, -1: P-256, -2: x, -3: y}. */
  private coseKey(): Buffer {
    const coordinate = (member: string | undefined): Buffer =>
      Buffer.from(member ?? '', 'base64url');
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      coordinate(this.jwk.x),
      Buffer.from('225820', 'hex'),
      coordinate(this.jwk.y),
    ]);
  }
}

/** CBOR {"fmt": "none", "attStmt": {}, "authData": bytes} (WebAuthn L3 section 8.7). */
function attestationNone(authData: Buffer): Buffer {
  const head = '\xa3cfmtdnonegattStmt\xa0hauthData\x58';
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from([authData.length]), authData]);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
