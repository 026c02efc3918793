import { describe, expect, it } from 'vitest';
import { form2, NOW, signWithPasskey } from './support/signers.js';
import { dataDirectory, listen, openTestVault } from './support/test-vault.js';

const PATH = '/v1/signatures/examine';

async function served(config = {}) {
  const vault = openTestVault(dataDirectory(config));
  return { vault, http: await listen(vault) };
}

describe('POST /v1/signatures/examine', () => {
  it('says whose signature it is, and leaves it unused', async () => {
    const { vault, http } = await served();
    const passkey = await vault.enrolPasskey();
    const signed = signWithPasskey(passkey, form2());
    const { status, body } = await http.post(PATH, { signed }, 'consent-ui');
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        approver_id: 'alice@example.com',
        key_id: passkey.credential().keyId,
        hash: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        exp: NOW + 300,
      },
    });
    await vault.as().mint(signed);
  });

  it('advances the counter once for examining, examining again and minting', async () => {
    const { vault, http } = await served();
    const passkey = await vault.enrolPasskey({ counts: true });
    const first = signWithPasskey(passkey, form2());
    const second = signWithPasskey(passkey, form2());
    for (const signed of [first, first, second, first]) {
      expect((await http.post(PATH, { signed }, 'consent-ui')).status).toBe(200);
    }
    await vault.as().mint(first);
    await vault.as().mint(second);
    expect((await http.post(PATH, { signed: first }, 'consent-ui')).status).toBe(200);
    expect(vault.events().filter((event) => event === 'signature.examined')).toHaveLength(2);
  });

  it('refuses a counter that goes back, and what a mint would refuse', async () => {
    const { vault, http } = await served();
    const passkey = await vault.enrolPasskey({ counts: true });
    const post = (signed: unknown) => http.post(PATH, { signed }, 'consent-ui');
    await post(signWithPasskey(passkey, form2(), { counter: 9 }));
    const back = await post(signWithPasskey(passkey, form2(), { counter: 8 }));
    expect(back).toMatchObject({
      status: 403,
      type: expect.stringMatching(/^application\/problem\+json/),
      body: { code: 'AuthenticatorCloned', layer: 'vault' },
    });
    const signed = signWithPasskey(passkey, form2());
    const forged = { ...signed, payload: { ...signed.payload, cmd: 'pay' } };
    expect((await post(forged)).body.code).toBe('SignatureMismatch');
    expect((await post(signWithPasskey(passkey, form2({ exp: NOW })))).body.code).toBe(
      'CredentialExpired',
    );
    expect((await post(signWithPasskey(passkey, form2({ exp: NOW + 601 })))).body.code).toBe(
      'PayloadDriftAtMint',
    );
    expect((await post(signWithPasskey(passkey, form2({ aud: 'x' })))).body.code).toBe(
      'PayloadDriftAtMint',
    );
    expect((await post({})).body).toMatchObject({ code: 'MalformedPayload', path: 'payload' });
    expect((await post('x')).body).toMatchObject({ code: 'MalformedPayload', path: '' });
    const refused = vault.entries().filter(({ event }) => event === 'examine.refused');
    expect(refused.map(({ code }) => code)).toEqual([
      'AuthenticatorCloned',
      'SignatureMismatch',
      'CredentialExpired',
      'PayloadDriftAtMint',
      'PayloadDriftAtMint',
      'MalformedPayload',
      'MalformedPayload',
    ]);
  });

  it('denies early where no subject could make a difference', async () => {
    const { vault, http } = await served({ policy: { default: ['carol'], commands: {} } });
    const passkey = await vault.enrolPasskey();
    const signed = signWithPasskey(passkey, form2());
    expect((await http.post(PATH, { signed }, 'consent-ui')).body.code).toBe('PolicyDenied');
  });

  it('is for the consent page only', async () => {
    const { http } = await served();
    expect((await http.post(PATH, {}, 'bridge')).body.code).toBe('Forbidden');
    expect((await http.post(PATH, {})).body.code).toBe('Unauthenticated');
  });
});
