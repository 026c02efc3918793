import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SignedPayload } from '../../../src/contract/payload.js';
import { checkApproverKey } from '../../../vault/checks/check-approver-key.js';
import { Consent } from '../../../vault/consent.js';
import { checkSignature } from '../../../vault/checks/check-signature.js';
import type { DirectoryEntry } from '../../../vault/memory-directory.js';
import { sha256 } from '../../../vault/digest.js';
import { memoryDirectory, octJwk } from '../../../vault/memory-directory.js';
import type { Tier } from '../../../vault/schemes.js';
import type {
  AuthenticatorAlgorithm,
  Falsification,
} from '../../support/software-authenticator.js';
import { createSoftwareAuthenticator, FLAGS } from '../../support/software-authenticator.js';
import { expectRefusal } from './support/refusals.js';
import { form1, form2, rawSigner, signWithHmac, signWithPasskey } from './support/signers.js';

const ORIGIN = 'http://localhost:8421';
const EXPECTED = { rpId: 'localhost', origins: [ORIGIN] };
const ALICE = 'alice@example.com';

function check(entry: Omit<DirectoryEntry, 'approverId'>, signed: SignedPayload, tier: Tier = 2) {
  const consent = Consent.read(signed);
  const directory = memoryDirectory([{ approverId: ALICE, ...entry }]);
  return checkSignature(consent, checkApproverKey(consent, directory), tier, EXPECTED);
}

function passkeyOf(alg: AuthenticatorAlgorithm = 'ES256', counts = false) {
  const passkey = createSoftwareAuthenticator({ rpId: 'localhost', origin: ORIGIN, alg, counts });
  passkey.create({
    rp: { id: 'localhost', name: 'consent-bridge' },
    user: { id: 'YWxpY2U', name: ALICE, displayName: ALICE },
    challenge: 'AAAA',
    pubKeyCredParams: [],
  });
  const { publicJwk: jwk, id: credentialId } = passkey.credential();
  return { passkey, entry: { scheme: 'webauthn', jwk, credentialId } as const };
}

describe('raw keys', () => {
  it.each(['es256', 'eddsa'] as const)('%s over the canonical bytes', async (scheme) => {
    const signer = rawSigner(scheme);
    const entry = { scheme, jwk: signer.publicJwk };
    const signed = signer.sign(form2());
    expect(await check(entry, signed)).toEqual({});
    const changed = { ...signed, payload: { ...signed.payload, args: { task_id: 't-99' } } };
    await expectRefusal(() => check(entry, changed), 'SignatureMismatch');
    const message = { ...signed, payload: { ...signed.payload, binding_message: 'Tidy up?' } };
    await expectRefusal(() => check(entry, message), 'SignatureMismatch');
  });

  it('a key of one scheme does not sign under the name of another', async () => {
    const signer = rawSigner('es256');
    const signed = signer.sign(form2());
    const renamed = { ...signed, signature: { ...signed.signature, scheme: 'eddsa' } };
    const entry = { scheme: 'es256', jwk: signer.publicJwk } as const;
    await expectRefusal(() => check(entry, renamed as SignedPayload), 'SignatureMismatch');
  });

  it('a JWT made with the key is no signature over an action', async () => {
    const signer = rawSigner('es256');
    const signed = signer.sign(form2());
    const jwt = signer.jwt({ typ: 'approver-authentication+jwt' }, { ...signed.payload });
    const signature = { ...signed.signature, signature: jwt.split('.')[2] ?? '' };
    const entry = { scheme: 'es256', jwk: signer.publicJwk } as const;
    const forged = { ...signed, signature };
    await expectRefusal(() => check(entry, forged), 'SignatureMismatch');
  });
});

describe('hmac-sha256', () => {
  const entry = { scheme: 'hmac-sha256', jwk: octJwk('secret') } as const;
  it('is good in Tier 1 and refused in Tier 2', async () => {
    const signed = signWithHmac('secret', form1());
    expect(await check(entry, signed, 1)).toEqual({});
    await expectRefusal(() => check(entry, signed, 2), 'SignatureMismatch');
  });
  it('refuses another MAC', async () => {
    const signed = signWithHmac('secret', form1());
    const signature = { ...signed.signature, signature: '0'.repeat(64) };
    const forged = { ...signed, signature };
    await expectRefusal(() => check(entry, forged, 1), 'SignatureMismatch');
  });
  it('the public key as secret is no way around a public-key scheme', async () => {
    const signer = rawSigner('es256');
    const signed = signer.sign(form2());
    const mac = signWithHmac(JSON.stringify(signer.publicJwk), signed.payload);
    const signature = { ...mac.signature, key_id: signer.keyId };
    const forged = { ...signed, signature };
    await expectRefusal(
      () => check({ scheme: 'es256', jwk: signer.publicJwk }, forged, 1),
      'SignatureMismatch',
    );
  });
});

describe('webauthn', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('takes a %s passkey', async (alg) => {
    const { passkey, entry } = passkeyOf(alg);
    expect(await check(entry, signWithPasskey(passkey, form2()))).toEqual({ counter: 0 });
  });

  it('hands on the counter', async () => {
    const { passkey, entry } = passkeyOf('ES256', true);
    expect(await check(entry, signWithPasskey(passkey, form2()))).toEqual({ counter: 1 });
    expect(await check(entry, signWithPasskey(passkey, form2()))).toEqual({ counter: 2 });
  });

  const accepted: [string, Falsification][] = [
    ['backup eligible and backed up', { flags: FLAGS.UP | FLAGS.UV | FLAGS.BE | FLAGS.BS }],
    ['extension outputs', { flags: FLAGS.UP | FLAGS.UV | FLAGS.ED, trailing: Buffer.of(0xa0) }],
    ['members of later versions', { clientData: { other_keys_can_be_added_here: 'x' } }],
    ['no crossOrigin member', { clientData: { crossOrigin: undefined } }],
  ];
  it.each(accepted)('takes %s', async (_name, falsify) => {
    const { passkey, entry } = passkeyOf();
    await check(entry, signWithPasskey(passkey, form2(), falsify));
  });

  const text = (challenge: string) =>
    `{"type":"webauthn.get","challenge":"AAAA","challenge":"${challenge}","origin":"${ORIGIN}"}`;
  const refused: [string, Falsification][] = [
    ['a registration', { clientData: { type: 'webauthn.create' } }],
    ['another challenge', { clientData: { challenge: 'AAAA' } }],
    ['a padded challenge', { clientData: { challenge: 'AAAA=' } }],
    ['another origin', { clientData: { origin: 'http://localhost:8422' } }],
    ['an origin that begins like ours', { clientData: { origin: `${ORIGIN}.evil.example` } }],
    ['an assertion from a frame', { clientData: { crossOrigin: true } }],
    ['a top origin', { clientData: { topOrigin: ORIGIN } }],
    ['crossOrigin that is no boolean', { clientData: { crossOrigin: 'false' } }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user presence', { flags: FLAGS.UV }],
    ['no user verification', { flags: FLAGS.UP }],
    ['backed up without being eligible', { flags: FLAGS.UP | FLAGS.UV | FLAGS.BS }],
    ['attested data', { flags: FLAGS.UP | FLAGS.UV | FLAGS.AT }],
    ['trailing octets', { trailing: Buffer.of(0xa0) }],
    ['extensions announced and missing', { flags: FLAGS.UP | FLAGS.UV | FLAGS.ED }],
    [
      'extensions that are no map',
      { flags: FLAGS.UP | FLAGS.UV | FLAGS.ED, trailing: Buffer.of(1) },
    ],
    ['client data that is no JSON', { clientDataText: 'webauthn' }],
    ['client data that is a list', { clientDataText: '[]' }],
  ];
  it.each(refused)('refuses %s', async (_name, falsify) => {
    const { passkey, entry } = passkeyOf();
    const signed = signWithPasskey(passkey, form2(), falsify);
    await expectRefusal(() => check(entry, signed), 'SignatureMismatch');
  });

  it('refuses a challenge that stands twice, of which one is right', async () => {
    const { passkey, entry } = passkeyOf();
    const payload = form2();
    const { hash } = Consent.read(signWithPasskey(passkey, payload));
    const signed = signWithPasskey(passkey, payload, { clientDataText: text(hash) });
    await expectRefusal(() => check(entry, signed), 'SignatureMismatch');
  });

  it('refuses an old assertion under a new payload', async () => {
    const { passkey, entry } = passkeyOf();
    const old = signWithPasskey(passkey, form2());
    const moved = { payload: form2(), signature: old.signature };
    await expectRefusal(() => check(entry, moved), 'SignatureMismatch');
  });

  it('refuses the credential id of another passkey', async () => {
    const { passkey, entry } = passkeyOf();
    const signed = signWithPasskey(passkey, form2());
    const signature = { ...signed.signature, credential_id: 'AAAA' };
    await expectRefusal(() => check(entry, { ...signed, signature }), 'SignatureMismatch');
  });

  it.each(['authenticator_data', 'client_data_json', 'signature'])(
    'refuses one changed octet in %s',
    async (member) => {
      const { passkey, entry } = passkeyOf();
      const signed = signWithPasskey(passkey, form2());
      const octets = Buffer.from(String(Object(signed.signature)[member]), 'base64url');
      octets.writeUInt8(octets.readUInt8(octets.length - 3) ^ 1, octets.length - 3);
      const signature = { ...signed.signature, [member]: octets.toString('base64url') };
      await expectRefusal(() => check(entry, { ...signed, signature }), 'SignatureMismatch');
    },
  );

  it.each([1, 31, 32, 36])(
    'refuses %i octets of authenticator data, well signed',
    async (length) => {
      const { passkey, entry } = passkeyOf();
      const signed = signWithPasskey(passkey, form2());
      const member = (name: string) =>
        Buffer.from(String(Object(signed.signature)[name]), 'base64url');
      const short = member('authenticator_data').subarray(0, length);
      const data = Buffer.concat([short, sha256(member('client_data_json'))]);
      const signature = {
        ...signed.signature,
        authenticator_data: short.toString('base64url'),
        signature: sign('sha256', data, passkey.credential().privateKey).toString('base64url'),
      };
      await expectRefusal(() => check(entry, { ...signed, signature }), 'SignatureMismatch');
    },
  );

  it('refuses client data after a byte order mark', async () => {
    const { passkey, entry } = passkeyOf();
    const payload = form2();
    const { hash: challenge } = Consent.read(signWithPasskey(passkey, payload));
    const text = JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN });
    await check(entry, signWithPasskey(passkey, payload, { clientDataText: text }));
    const marked = signWithPasskey(passkey, payload, { clientDataText: `\ufeff${text}` });
    await expectRefusal(() => check(entry, marked), 'SignatureMismatch');
  });
});
