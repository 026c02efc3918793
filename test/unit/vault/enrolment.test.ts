import { describe, expect, it } from 'vitest';
import { approverKeys } from '../../../src/contract/wire.js';
import { invite } from '../../../vault/operator/invite.js';
import { revokeKeys } from '../../../vault/operator/revoke-key.js';
import type { Falsification } from '../../support/software-authenticator.js';
import { createSoftwareAuthenticator, FLAGS } from '../../support/software-authenticator.js';
import { expectRefusal } from './support/refusals.js';
import { form2, NOW, signWithPasskey } from './support/signers.js';
import type { Body, TestVault } from './support/test-vault.js';
import { dataDirectory, listen, openTestVault, ORIGIN } from './support/test-vault.js';

const OPTIONS = '/v1/enrolments/options';
const FINISH = '/v1/enrolments/finish';
const ALICE = 'alice@example.com';
const KEYS = `/v1/approvers/${encodeURIComponent(ALICE)}/keys`;

async function served() {
  const vault = openTestVault(dataDirectory());
  return { vault, http: await listen(vault) };
}
const newInvite = async ({ operator }: TestVault, approver = ALICE) =>
  (await invite(operator, approver, 900)).invite;
const passkeyOf = (settings = {}) =>
  createSoftwareAuthenticator({ rpId: 'localhost', origin: ORIGIN, ...settings });

describe('enrolment', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)(
    'of a %s passkey, which then approves',
    async (alg) => {
      const { vault, http } = await served();
      const passkey = passkeyOf({ alg });
      const secret = await newInvite(vault);
      const { body: begun } = await http.post(OPTIONS, { invite: secret }, 'consent-ui');
      expect(begun.approver_id).toBe(ALICE);
      expect(begun.options).toMatchObject({
        rp: { id: 'localhost', name: 'consent-bridge' },
        user: { name: ALICE },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: [],
      });
      expect(begun.options.pubKeyCredParams.map(({ alg: offered }) => offered)).toEqual([
        -7, -8, -257,
      ]);
      expect(Buffer.from(begun.options.challenge, 'base64url')).toHaveLength(32);
      const { status, body } = await http.post(
        FINISH,
        {
          enrolment_id: begun.enrolment_id,
          response: passkey.create(begun.options),
          label: 'laptop',
        },
        'consent-ui',
      );
      const { id, keyId } = passkey.credential();
      expect({ status, body }).toEqual({
        status: 200,
        body: { approver_id: ALICE, key_id: keyId, credential_id: id },
      });
      const listed = approverKeys.parse((await http.get(KEYS, 'rs')).body);
      expect(listed.keys).toEqual([
        {
          approver_id: ALICE,
          key_id: keyId,
          scheme: 'webauthn',
          public_jwk: passkey.credential().publicJwk,
          credential_id: id,
          label: 'laptop',
          created_at: NOW,
        },
      ]);
      await vault.as().mint(signWithPasskey(passkey, form2()));
      expect(vault.events()).toEqual([
        'mint-key.created',
        'invite.created',
        'approver-key.enrolled',
        'credential.minted',
      ]);
    },
  );

  it('spends the invitation: a second enrolment with it is refused, at either step', async () => {
    const { vault, http } = await served();
    const secret = await newInvite(vault);
    const begin = async () => (await http.post(OPTIONS, { invite: secret }, 'consent-ui')).body;
    const [first, second] = [await begin(), await begin()];
    const finish = (begun: Body) =>
      http.post(
        FINISH,
        {
          enrolment_id: begun.enrolment_id,
          response: passkeyOf().create(begun.options),
          label: 'x',
        },
        'consent-ui',
      );
    expect((await finish(first)).status).toBe(200);
    expect((await finish(second)).body.code).toBe('InviteInvalid');
    expect((await begin()).code).toBe('InviteInvalid');
    expect(vault.store.approverKeys.activeOf(ALICE)).toHaveLength(1);
  });

  it('of two finishing at once one wins', async () => {
    const { vault, http } = await served();
    const secret = await newInvite(vault);
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const { body: begun } = await http.post(OPTIONS, { invite: secret }, 'consent-ui');
        const response = passkeyOf().create(begun.options);
        return http.post(
          FINISH,
          { enrolment_id: begun.enrolment_id, response, label: 'x' },
          'consent-ui',
        );
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(vault.store.approverKeys.activeOf(ALICE)).toHaveLength(1);
  });

  it('refuses an invitation that is unknown or over', async () => {
    const { vault, http } = await served();
    const secret = await newInvite(vault);
    const guess = await http.post(OPTIONS, { invite: 'guess' }, 'consent-ui');
    expect(guess).toMatchObject({ status: 403, body: { code: 'InviteInvalid' } });
    await vault.service.enrolment.options(secret);
    vault.time.ms = (NOW + 900) * 1000;
    await expectRefusal(() => vault.service.enrolment.options(secret), 'InviteInvalid');
  });

  it('refuses an invitation that ran out between the steps', async () => {
    const { vault, http } = await served();
    const { invite: secret } = await invite(vault.operator, ALICE, 100);
    const { body: begun } = await http.post(OPTIONS, { invite: secret }, 'consent-ui');
    vault.time.ms = (NOW + 100) * 1000;
    const response = passkeyOf().create(begun.options);
    await expectRefusal(
      () => vault.service.enrolment.finish(begun.enrolment_id, response, 'x'),
      'InviteInvalid',
    );
  });

  it('goes on after a restart between the steps', async () => {
    const directory = dataDirectory();
    const before = openTestVault(directory);
    const { enrolment_id, options } = await before.service.enrolment.options(
      await newInvite(before),
    );
    before.close();
    const after = openTestVault(directory);
    const passkey = passkeyOf();
    await after.service.enrolment.finish(enrolment_id, passkey.create(options), 'x');
    await after.as().mint(signWithPasskey(passkey, form2()));
  });

  it('takes several keys of one approver, names them to exclude, and keeps the user handle', async () => {
    const { vault } = await served();
    const first = await vault.enrolPasskey();
    const { options } = await vault.service.enrolment.options(await newInvite(vault));
    expect(options.excludeCredentials).toEqual([{ id: first.credential().id, type: 'public-key' }]);
    expect(options.user.id).toBe(first.credential().userHandle);
    expect(() => first.create(options)).toThrow(/already registered/);
    const second = await vault.enrolPasskey();
    await vault.as().mint(signWithPasskey(first, form2()));
    await vault.as().mint(signWithPasskey(second, form2()));
    const other = await vault.enrolPasskey({}, 'bob@example.com');
    expect(other.credential().userHandle).not.toBe(first.credential().userHandle);
  });

  it('revoking one key leaves the other; a revoked one is no longer listed', async () => {
    const { vault, http } = await served();
    const first = await vault.enrolPasskey();
    const second = await vault.enrolPasskey();
    await revokeKeys(vault.operator, { keyId: first.credential().keyId });
    await expect(vault.as().mint(signWithPasskey(first, form2()))).rejects.toMatchObject({
      code: 'UnknownApprover',
    });
    await vault.as().mint(signWithPasskey(second, form2()));
    const { body } = await http.get(KEYS, 'consent-ui');
    expect(body.keys.map(({ key_id }) => key_id)).toEqual([second.credential().keyId]);
  });

  const refused: [string, Falsification][] = [
    ['without user verification', { flags: FLAGS.UP | FLAGS.AT }],
    ['without user presence', { flags: FLAGS.UV | FLAGS.AT }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['from another origin', { clientData: { origin: 'http://localhost:9999' } }],
    ['in a frame', { clientData: { crossOrigin: true } }],
    ['under a top origin', { clientData: { topOrigin: ORIGIN } }],
    ['over another challenge', { clientData: { challenge: 'AAAA' } }],
    ['that is an assertion', { clientData: { type: 'webauthn.get' } }],
  ];
  it.each(refused)(
    'refuses a passkey %s, and leaves the invitation good',
    async (_name, falsify) => {
      const { vault, http } = await served();
      const secret = await newInvite(vault);
      const { body: begun } = await http.post(OPTIONS, { invite: secret }, 'consent-ui');
      const passkey = passkeyOf();
      const answer = { enrolment_id: begun.enrolment_id, label: 'x' };
      const bad = passkey.create(begun.options, falsify);
      const finish = (response: unknown) =>
        http.post(FINISH, { ...answer, response }, 'consent-ui');
      expect((await finish(bad)).body.code).toBe('CeremonyFailed');
      expect((await finish(passkey.create(begun.options))).body.code).toBe('CeremonyFailed');
      expect(vault.store.approverKeys.all()).toEqual([]);
      expect((await http.post(OPTIONS, { invite: secret }, 'consent-ui')).status).toBe(200);
      expect(vault.events().filter((event) => event === 'enrolment.refused')).toHaveLength(2);
    },
  );

  it('refuses a passkey that is another approver’s', async () => {
    const { vault } = await served();
    const { service } = vault;
    const passkey = passkeyOf();
    const one = await service.enrolment.options(await newInvite(vault));
    const two = await service.enrolment.options(await newInvite(vault, 'mallory'));
    const response = passkey.create(one.options);
    await service.enrolment.finish(one.enrolment_id, response, 'x');
    const clientData = {
      type: 'webauthn.create',
      challenge: two.options.challenge,
      origin: ORIGIN,
    };
    const stolen = {
      ...response,
      response: {
        ...response.response,
        clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
      },
    } as never;
    await expect(service.enrolment.finish(two.enrolment_id, stolen, 'x')).rejects.toMatchObject({
      code: 'CeremonyFailed',
    });
    expect(vault.store.approverKeys.activeOf('mallory')).toEqual([]);
  });

  it('is for the consent page only', async () => {
    const { http } = await served();
    expect((await http.post(OPTIONS, { invite: 'x' }, 'bridge')).body.code).toBe('Forbidden');
    expect((await http.post(OPTIONS, { invite: 'x' })).body.code).toBe('Unauthenticated');
    expect((await http.get(KEYS, 'bridge')).body.code).toBe('Forbidden');
    expect((await http.get(KEYS)).body.code).toBe('Unauthenticated');
  });

  it('keeps neither invitation nor challenge beyond their time', async () => {
    const { vault } = await served();
    const secret = await newInvite(vault);
    const { enrolment_id, options } = await vault.service.enrolment.options(secret);
    vault.time.ms = (NOW + 300) * 1000;
    await expect(
      vault.service.enrolment.finish(enrolment_id, passkeyOf().create(options), 'x'),
    ).rejects.toMatchObject({ code: 'CeremonyFailed' });
    vault.time.ms = (NOW + 900) * 1000;
    await vault.store.sweep();
    vault.time.ms = NOW * 1000;
    await expect(vault.service.enrolment.options(secret)).rejects.toMatchObject({
      code: 'InviteInvalid',
    });
  });
});
