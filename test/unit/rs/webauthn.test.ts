import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import { Fixture } from './fixture.js';
import type { Ceremony } from './keys.js';
import { assertion, b64, keyPair, sha256 } from './keys.js';

const f = new Fixture();
const passkey = keyPair('ES256');
beforeAll(async () => {
  await f.start();
  await f.trust('alice', passkey, true);
});
afterAll(() => f.close());
beforeEach(() => {
  f.nowMs += 60_000;
});

function verdict(bent: Ceremony | ((challenge: string) => Ceremony), key = passkey) {
  const payload = f.payload({ args: { task_id: 't-99' } });
  const challenge = b64(sha256(canonicalBytes(payload, 'rs')));
  const ceremony = typeof bent === 'function' ? bent(challenge) : bent;
  const signature = assertion(key, payload, ceremony);
  return f.verdict(f.request({ payload, signed: { payload, signature } }));
}
const REFUSED = 'SignatureMismatch';
const UP = 0x01;
const UV = 0x04;

describe('accepted', () => {
  it.each<[string, Ceremony]>([
    ['a plain ceremony', {}],
    ['backup eligible and backed up', { flags: UP | UV | 0x08 | 0x10 }],
    ['backup eligible, not backed up', { flags: UP | UV | 0x08 }],
    ['members a browser adds', { clientData: { other_keys_can_be_added_here: 'x' } }],
    [
      'an extension map',
      { flags: UP | UV | 0x80, trailing: Buffer.from([0xa1, 0x61, 0x78, 0x82, 0x01, 0xf5]) },
    ],
  ])('%s', async (_name, ceremony) => {
    expect(await verdict(ceremony)).toBe('failure');
  });

  it.each(['EdDSA', 'RS256'] as const)('a passkey with %s', async (alg) => {
    const key = keyPair(alg);
    await f.trust('alice', key, true);
    expect(await verdict({}, key)).toBe('failure');
  });
});

it('a byte order mark is stripped from client data, as the specification says', async () => {
  const text = (challenge: string) => ({
    clientDataText: `\ufeff{"type":"webauthn.get","challenge":"${challenge}","origin":"http://localhost:8421"}`,
  });
  expect(await verdict(text)).toBe('failure');
});

describe('refused', () => {
  it.each<[string, Ceremony]>([
    ['a registration', { type: 'webauthn.create' }],
    ['a payment', { type: 'payment.get' }],
    ['an old challenge', { challenge: b64(sha256('something else')) }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a sub-origin', { origin: 'http://localhost:8421.evil.example' }],
    ['a frame on another site', { clientData: { crossOrigin: true } }],
    ['a top origin', { clientData: { topOrigin: 'http://localhost:8421' } }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user presence', { flags: UV }],
    ['no user verification', { flags: UP }],
    ['backed up but not eligible', { flags: UP | UV | 0x10 }],
    ['attested credential data', { flags: UP | UV | 0x40 }],
    ['bytes after the fixed part', { trailing: Buffer.from([0xa0]) }],
    ['the extension flag without a map', { flags: UP | UV | 0x80 }],
    ['extensions that are no map', { flags: UP | UV | 0x80, trailing: Buffer.from([0x80]) }],
    ['bytes after the extensions', { flags: UP | UV | 0x80, trailing: Buffer.from([0xa0, 0]) }],
    ['extensions cut short', { flags: UP | UV | 0x80, trailing: Buffer.from([0xa1, 0x61]) }],
    ['an endless string', { flags: UP | UV | 0x80, trailing: Buffer.from([0xa1, 0x7b]) }],
    ['crossOrigin as text', { clientData: { crossOrigin: 'false' } }],
    ['client data that is no JSON', { clientDataText: 'webauthn.get' }],
  ])('%s', async (_name, ceremony) => {
    expect(await verdict(ceremony)).toBe(REFUSED);
  });

  it('a challenge that is twice in the client data', async () => {
    const twice = (challenge: string) => ({
      clientDataText: `{"type":"webauthn.get","challenge":"${challenge}","challenge":"${challenge}","origin":"http://localhost:8421"}`,
    });
    expect(await verdict(twice)).toBe(REFUSED);
  });

  it('the challenge in another spelling', async () => {
    expect(await verdict((challenge) => ({ challenge: `${challenge}=` }))).toBe(REFUSED);
  });

  it('the credential id of another passkey', async () => {
    expect(await verdict({ credentialId: b64(sha256('other')) })).toBe('UnknownApprover');
  });

  it('a signature by another key', async () => {
    const payload = f.payload({ args: { task_id: 't-99' } });
    const good = assertion(passkey, payload);
    const { signature } = assertion(keyPair(), payload);
    const signed = { payload, signature: { ...good, signature } };
    expect(await f.verdict(f.request({ payload, signed }))).toBe(REFUSED);
  });

  it('authenticator data changed after signing', async () => {
    const payload = f.payload({ args: { task_id: 't-99' } });
    const good = assertion(passkey, payload, { flags: UP });
    const data = Buffer.concat([sha256('localhost'), Buffer.from([UP | UV, 0, 0, 0, 7])]);
    const signature = { ...good, authenticator_data: b64(data) } as never;
    expect(await f.verdict(f.request({ payload, signed: { payload, signature } }))).toBe(REFUSED);
  });
});
