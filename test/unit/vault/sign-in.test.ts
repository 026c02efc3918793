import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { revokeKeys } from '../../../vault/operator/revoke-key.js';
import { sha256Base64url } from '../../../vault/digest.js';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import type { Falsification } from '../../support/software-authenticator.js';
import { FLAGS } from '../../support/software-authenticator.js';
import { form2, NOW, rawSigner, signWithPasskey } from './support/signers.js';
import { dataDirectory, listen, openTestVault, ORIGIN } from './support/test-vault.js';

const OPTIONS = '/v1/sign-in/options';
const FINISH = '/v1/sign-in/finish';
const KEY = '/v1/sign-in/key';
const ALICE = 'alice@example.com';

async function served(settings = {}) {
  const vault = openTestVault(dataDirectory());
  const passkey = await vault.enrolPasskey(settings);
  const http = await listen(vault);
  const begin = async () => (await http.post(OPTIONS, {}, 'consent-ui')).body;
  const finish = (challenge_id: string, response: unknown) =>
    http.post(FINISH, { challenge_id, response }, 'consent-ui');
  return { vault, passkey, http, begin, finish };
}

describe('sign-in with a passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('%s', async (alg) => {
    const { vault, passkey, begin, finish } = await served({ alg });
    const { challenge_id, options } = await begin();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials).toBeUndefined();
    const { status, body } = await finish(challenge_id, passkey.get(options));
    expect({ status, body }).toEqual({
      status: 200,
      body: { approver_id: ALICE, key_id: passkey.credential().keyId },
    });
    expect(vault.events().at(-1)).toBe('approver.signed-in');
  });

  it('answers a challenge once', async () => {
    const { passkey, begin, finish } = await served();
    const { challenge_id, options } = await begin();
    const response = passkey.get(options);
    expect((await finish(challenge_id, response)).status).toBe(200);
    expect((await finish(challenge_id, response)).body.code).toBe('CeremonyFailed');
  });

  const refused: [string, Falsification][] = [
    ['no user verification', { flags: FLAGS.UP }],
    ['no user presence', { flags: FLAGS.UV }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another origin', { clientData: { origin: 'http://localhost:9999' } }],
    ['a frame', { clientData: { crossOrigin: true } }],
    ['another challenge', { clientData: { challenge: 'AAAA' } }],
    ['a registration', { clientData: { type: 'webauthn.create' } }],
  ];
  it.each(refused)('refuses %s', async (_name, falsify) => {
    const { passkey, begin, finish } = await served();
    const { challenge_id, options } = await begin();
    const { body } = await finish(challenge_id, passkey.get(options, falsify));
    expect(body.code).toBe('CeremonyFailed');
  });

  it('refuses a forged signature, a stranger and a revoked passkey', async () => {
    const { vault, passkey, begin, finish } = await served();
    const one = await begin();
    const answer = passkey.get(one.options);
    const forged = { ...answer, response: { ...answer.response, signature: 'MAYCAQECAQE' } };
    expect((await finish(one.challenge_id, forged)).body.code).toBe('CeremonyFailed');
    const two = await begin();
    const stranger = { ...passkey.get(two.options), id: 'AAAA', rawId: 'AAAA' };
    expect((await finish(two.challenge_id, stranger)).body.code).toBe('UnknownApprover');
    const three = await begin();
    await revokeKeys(vault.operator, { approverId: ALICE });
    expect((await finish(three.challenge_id, passkey.get(three.options))).body.code).toBe(
      'UnknownApprover',
    );
  });

  it('advances the counter, and refuses one that goes back', async () => {
    const { vault, passkey, begin, finish } = await served({ counts: true });
    const one = await begin();
    await finish(one.challenge_id, passkey.get(one.options, { counter: 7 }));
    expect(vault.store.approverKeys.counterOf(passkey.credential().keyId)).toBe(7);
    const two = await begin();
    const { body } = await finish(two.challenge_id, passkey.get(two.options, { counter: 7 }));
    expect(body.code).toBe('AuthenticatorCloned');
    await expect(
      vault.as().mint(signWithPasskey(passkey, form2(), { counter: 6 })),
    ).rejects.toMatchObject({
      code: 'AuthenticatorCloned',
    });
  });

  it('goes on after a restart between the steps', async () => {
    const { vault, passkey, begin } = await served();
    const { challenge_id, options } = await begin();
    const other = openTestVault(vault.directory);
    expect(await other.service.signIn.finish(challenge_id, passkey.get(options) as never)).toEqual({
      approver_id: ALICE,
      key_id: passkey.credential().keyId,
    });
  });

  it('and an approval are never each other', async () => {
    const { vault, passkey, begin, finish } = await served();
    const { challenge_id, options } = await begin();
    const payload = form2();
    const approval = passkey.get({
      ...options,
      challenge: sha256Base64url(canonicalBytes(payload, 'vault')),
    });
    expect((await finish(challenge_id, approval)).body.code).toBe('CeremonyFailed');
    const { response } = passkey.get((await begin()).options);
    const signature = {
      ...passkey.sign(canonicalBytes(payload, 'vault')),
      authenticator_data: response.authenticatorData,
      client_data_json: response.clientDataJSON,
      signature: response.signature,
    };
    await expect(vault.as().mint({ payload, signature })).rejects.toMatchObject({
      code: 'SignatureMismatch',
    });
  });
});

describe('sign-in with a raw key', () => {
  const claims = (changes = {}) => ({
    sub: ALICE,
    aud: ORIGIN,
    iat: NOW,
    exp: NOW + 60,
    jti: randomBytes(8).toString('hex'),
    ...changes,
  });
  const typ = 'approver-authentication+jwt';

  it.each(['es256', 'eddsa'] as const)(
    '%s; one entry for one assertion, however often it is used',
    async (scheme) => {
      const { vault, http } = await served();
      const alice = await vault.enrolRaw(scheme);
      const assertion = alice.jwt({ typ }, claims());
      for (let i = 0; i < 3; i += 1) {
        const { body } = await http.post(KEY, { assertion, aud: ORIGIN }, 'consent-ui');
        expect(body).toEqual({ approver_id: ALICE, key_id: alice.keyId });
      }
      expect(vault.events().filter((event) => event === 'approver.signed-in')).toHaveLength(1);
    },
  );

  it.each([
    ['another audience', claims({ aud: 'https://evil.example' }), {}, 'CeremonyFailed'],
    ['another approver', claims({ sub: 'bob@example.com' }), {}, 'UnknownApprover'],
    ['an old assertion', claims({ iat: NOW - 120, exp: NOW - 60 }), {}, 'CeremonyFailed'],
    ['one that is good for too long', claims({ exp: NOW + 61 }), {}, 'CeremonyFailed'],
    ['the typ of a client', claims(), { typ: 'client-authentication+jwt' }, 'CeremonyFailed'],
    ['alg none', claims(), { alg: 'none' }, 'CeremonyFailed'],
    ['an unknown key', claims(), { kid: 'x' }, 'UnknownApprover'],
    ['no jti', claims({ jti: '' }), {}, 'CeremonyFailed'],
  ])('refuses %s', async (_name, payload, header, code) => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const assertion = alice.jwt({ typ, ...header }, payload);
    const { body } = await http.post(KEY, { assertion, aud: ORIGIN }, 'consent-ui');
    expect(body.code).toBe(code);
  });

  it('refuses the signature of another key, an audience that is no page of ours, a revoked key', async () => {
    const { vault, http } = await served();
    const alice = await vault.enrolRaw();
    const post = async (assertion: string, aud = ORIGIN) =>
      (await http.post(KEY, { assertion, aud }, 'consent-ui')).body.code;
    const mallory = rawSigner('eddsa').jwt({ typ, kid: alice.keyId }, claims());
    expect(await post(mallory)).toBe('CeremonyFailed');
    const elsewhere = 'https://elsewhere.example';
    expect(await post(alice.jwt({ typ }, claims({ aud: elsewhere })), elsewhere)).toBe(
      'CeremonyFailed',
    );
    const good = alice.jwt({ typ }, claims());
    expect(await post(good)).toBeUndefined();
    await revokeKeys(vault.operator, { keyId: alice.keyId });
    expect(await post(good)).toBe('UnknownApprover');
  });
});
