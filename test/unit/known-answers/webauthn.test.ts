/**
 * The WebAuthn specification's own vectors, through both hand-written verifications and both ceremonies of the vault.
 * Two of the eight authentications verified their user and were in no frame: those, and only those, we take.
 */
import type * as Crypto from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { WebauthnSignature } from '../../../src/contract/payload.js';
import { isWebauthnAssertion } from '../../../rs/checks/check-webauthn-assertion.js';
import { loadPublicKey } from '../../../rs/public-key.js';
import { verifySignature as rsVerifies } from '../../../rs/signature-algorithms.js';
import type { Consent } from '../../../vault/consent.js';
import { importPublicJwk, verifySignature as vaultVerifies } from '../../../vault/public-key.js';
import { createVaultService } from '../../../vault/service.js';
import { verifyAssertion } from '../../../vault/webauthn-assertion.js';
import { sha256 } from '../rs/keys.js';
import { dataDirectory, openTestVault } from '../vault/support/test-vault.js';
import { invite } from '../../../vault/operator/invite.js';
import { ORIGIN, RP_ID, webauthnVectors } from './webauthn-vectors.js';
import type { WebauthnVector } from './webauthn-vectors.js';

/**
 * Our challenge is the SHA-256 of what is signed, and nobody knows what hashes to the challenges of the specification.
 * So here, and only for these octets, the hash of `preimage:<hex>` is what the hexadecimal says.
 */
const PREIMAGE = 'preimage:';
vi.mock('node:crypto', async (importOriginal) => {
  const real = await importOriginal<typeof Crypto>();
  const createHash: typeof real.createHash = (algorithm) => {
    const [outer, inner] = [real.createHash(algorithm), real.createHash(algorithm)];
    let known: Buffer | undefined;
    return Object.assign<typeof outer, object>(outer, {
      update: (data: Uint8Array | string) => {
        const text = typeof data === 'string' ? '' : Buffer.from(data).toString('latin1');
        if (text.startsWith('preimage:'))
          known = Buffer.from(text.slice('preimage:'.length), 'hex');
        else inner.update(data);
        return outer;
      },
      digest: (encoding?: BufferEncoding) => {
        const digest = known ?? inner.digest();
        return encoding === undefined ? digest : digest.toString(encoding);
      },
    });
  };
  return { ...real, default: { ...real, createHash }, createHash };
});

const b64 = (octets: Uint8Array): string => Buffer.from(octets).toString('base64url');

/** Name, flags of the authentication, and what a verifier of ours says. */
const EXPECTED = [
  ['none.ES256', 0x19, 'user verification'],
  ['packed-self.ES256', 0x09, 'user verification'],
  ['none.ES256.crossOrigin', 0x05, 'client data'],
  ['none.ES256.topOrigin', 0x05, 'client data'],
  ['none.ES256.long-credential-id', 0x0d, 'taken'],
  ['packed.ES256', 0x0d, 'taken'],
  ['packed.RS256', 0x19, 'user verification'],
  ['packed.EdDSA', 0x01, 'user verification'],
] as const;

function assertionOf({ credentialId, jwk, authentication }: WebauthnVector): WebauthnSignature {
  return {
    scheme: 'webauthn',
    key_id: importPublicJwk(jwk).keyId,
    credential_id: b64(credentialId),
    authenticator_data: b64(authentication.authenticatorData),
    client_data_json: b64(authentication.clientDataJson),
    signature: b64(authentication.signature),
  };
}

const preimageOf = ({ authentication }: WebauthnVector): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(PREIMAGE + authentication.challenge.toString('hex'));

describe.each(EXPECTED)('%s', (name, flags, verdict) => {
  const vector = webauthnVectors.find((candidate) => candidate.name === name)!;
  const { authentication, jwk } = vector;
  const signed = Buffer.concat([
    authentication.authenticatorData,
    sha256(authentication.clientDataJson),
  ]);

  test('has the flags of the specification, and a signature both libraries verify', async () => {
    expect(authentication.authenticatorData[32]).toBe(flags);
    const { signature } = authentication;
    expect(await vaultVerifies(importPublicJwk(jwk), signed, signature, 'der')).toBe(true);
    expect(await rsVerifies(loadPublicKey(jwk), signed, signature, 'der')).toBe(true);
  });

  test(`vault: ${verdict}`, async () => {
    const { key, alg, keyId } = importPublicJwk(jwk);
    const enrolled = { approverId: 'alice', keyId, key, alg, scheme: 'webauthn' as const };
    const verifying = verifyAssertion(
      { bytes: preimageOf(vector), signature: assertionOf(vector) } as unknown as Consent,
      { ...enrolled, credentialId: b64(vector.credentialId) },
      { rpId: RP_ID, origins: [ORIGIN] },
    );
    if (verdict === 'taken') expect(await verifying).toEqual({ counter: 0 });
    else {
      await expect(verifying).rejects.toMatchObject({
        code: 'SignatureMismatch',
        detail: expect.stringContaining(verdict),
      });
    }
  });

  test(`rs: ${verdict}`, async () => {
    const expected = { rpId: RP_ID, origins: [ORIGIN] };
    const taken = isWebauthnAssertion(
      preimageOf(vector),
      assertionOf(vector),
      loadPublicKey(jwk),
      expected,
    );
    expect(await taken).toBe(verdict === 'taken');
  });

  test(`sign-in: ${verdict}`, async () => {
    const service = vaultAt(authentication.challenge);
    const { keyId } = importPublicJwk(jwk);
    service.store.approverKeys.add({
      key_id: keyId,
      approver_id: 'alice',
      scheme: 'webauthn',
      public_jwk: JSON.stringify(jwk),
      cose_key: vector.coseKey,
      credential_id: b64(vector.credentialId),
      counter: 0,
      label: 'a vector',
      created_at: 1,
      revoked_at: null,
    });
    const { challenge_id } = await service.signIn.options();
    const signature = assertionOf(vector);
    const finishing = service.signIn.finish(challenge_id, {
      id: signature.credential_id,
      rawId: signature.credential_id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: signature.client_data_json,
        authenticatorData: signature.authenticator_data,
        signature: signature.signature,
      },
    });
    if (verdict === 'taken') {
      expect(await finishing).toEqual({ approver_id: 'alice', key_id: keyId });
    } else await expect(finishing).rejects.toMatchObject({ code: 'CeremonyFailed' });
  });
});

/** The attestation statement of the one registration that verified its user, was in no frame and attests itself. */
const SELF_ATTESTATION =
  '30440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da98302207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d';

test.each([
  ['packed-self.ES256', SELF_ATTESTATION, 'enrolled'],
  ['none.ES256', undefined, 'CeremonyFailed'],
  ['none.ES256.crossOrigin', undefined, 'CeremonyFailed'],
  ['none.ES256.topOrigin', undefined, 'CeremonyFailed'],
  ['none.ES256.long-credential-id', undefined, 'CeremonyFailed'],
])('registration %s', async (name, attestation, verdict) => {
  const vector = webauthnVectors.find((candidate) => candidate.name === name)!;
  const service = vaultAt(vector.registration.challenge);
  const { invite: secret } = await invite(service, 'alice', 900);
  const { enrolment_id } = await service.enrolment.options(secret);
  const { clientDataJson, authenticatorData } = vector.registration;
  const id = b64(vector.credentialId);
  const finishing = service.enrolment.finish(
    enrolment_id,
    {
      ...{ id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} },
      response: {
        clientDataJSON: b64(clientDataJson),
        attestationObject: b64(attestationObject(authenticatorData, attestation)),
      },
    },
    'a vector',
  );
  if (verdict === 'enrolled') {
    expect(await finishing).toMatchObject({
      key_id: importPublicJwk(vector.jwk).keyId,
      credential_id: id,
    });
  } else await expect(finishing).rejects.toMatchObject({ code: verdict });
});

/** A vault of the relying party of the vectors, whose randomness is the challenge. */
function vaultAt(challenge: Buffer) {
  const webauthn = { rp_id: RP_ID, rp_name: 'vectors', origins: [ORIGIN] };
  const { config, store, time, log } = openTestVault(dataDirectory({ webauthn }));
  return createVaultService(config, store, {
    clock: () => time.ms,
    random: () => challenge,
    log: (line) => log.push(line),
  });
}

/** Section 6.5: CBOR of `fmt`, `attStmt`, `authData`, in this order. */
function attestationObject(authenticatorData: Buffer, selfSignature?: string): Buffer {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
  const octets = (value: Buffer): Buffer => {
    const head =
      value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 255];
    return Buffer.concat([Buffer.from(head), value]);
  };
  const statement =
    selfSignature === undefined
      ? [text('none'), text('attStmt'), Buffer.from([0xa0])]
      : [
          text('packed'),
          text('attStmt'),
          Buffer.from([0xa2]),
          ...[text('alg'), Buffer.from([0x26]), text('sig')],
          octets(Buffer.from(selfSignature, 'hex')),
        ];
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    ...statement,
    text('authData'),
    octets(authenticatorData),
  ]);
}
