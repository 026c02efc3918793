import { describe, expect, it } from 'vitest';
import { tokenResponse } from '../../../src/contract/wire.js';
import { form1, form2, NOW, RESOURCE } from './support/signers.js';
import {
  assertion,
  dataDirectory,
  listen,
  openTestVault,
  tokenForm,
} from './support/test-vault.js';

async function served(config = {}) {
  const vault = openTestVault(dataDirectory(config));
  const alice = await vault.enrolRaw();
  return { vault, alice, http: await listen(vault) };
}

describe('POST /token', () => {
  it('answers as RFC 8693 and RFC 9396 say', async () => {
    const { alice, http } = await served();
    const signed = alice.sign(form2());
    const { status, body, cacheControl } = await http.token(tokenForm(signed));
    expect({ status, cacheControl }).toEqual({ status: 200, cacheControl: 'no-store' });
    expect(tokenResponse.parse(body)).toMatchObject({
      expires_in: 300,
      exp: NOW + 300,
      approver_id: 'alice@example.com',
      command: 'delete_task',
      authorization_details: [
        { type: 'consent_bridge_action', command: 'delete_task', args: { task_id: 't-42' } },
      ],
    });
  });

  it('gives the same credential to an identical repeat, and refuses any other', async () => {
    const { alice, http } = await served();
    const form = tokenForm(alice.sign(form2()));
    const first = await http.token(form);
    const second = await http.token({ ...form, client_assertion: assertion('bridge') });
    expect(second.body.jti).toBe(first.body.jti);
    const other = await http.token({ ...form, mint_id: 'x'.repeat(32) });
    expect(other).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', code: 'SignatureReplay', layer: 'vault' },
    });
  });

  it('mints form 1 for a configured resource server', async () => {
    const { alice, http } = await served();
    expect((await http.token(tokenForm(alice.sign(form1())))).status).toBe(200);
  });

  it.each([
    [
      'no client assertion',
      { client_assertion: undefined },
      401,
      'invalid_client',
      'Unauthenticated',
      undefined,
    ],
    [
      'another assertion type',
      { client_assertion_type: 'password' },
      401,
      'invalid_client',
      'Unauthenticated',
      undefined,
    ],
    [
      'a stranger',
      { client_assertion: assertion('stranger') },
      401,
      'invalid_client',
      'Unauthenticated',
      undefined,
    ],
    [
      'a client without the role',
      { client_assertion: assertion('consent-ui') },
      400,
      'unauthorized_client',
      'Forbidden',
      undefined,
    ],
    [
      'another grant type',
      { grant_type: 'client_credentials' },
      400,
      'unsupported_grant_type',
      'MalformedRequest',
      'grant_type',
    ],
    [
      'another token type',
      { subject_token_type: 'jwt' },
      400,
      'invalid_request',
      'MalformedRequest',
      'subject_token_type',
    ],
    [
      'a token that is no base64url',
      { subject_token: 'a+b' },
      400,
      'invalid_request',
      'MalformedRequest',
      'subject_token',
    ],
    [
      'a token that is no JSON',
      { subject_token: 'AAAA' },
      400,
      'invalid_request',
      'MalformedJson',
      '',
    ],
    [
      'a token that is not UTF-8',
      { subject_token: '_w' },
      400,
      'invalid_request',
      'MalformedJson',
      undefined,
    ],
    [
      'a token that is no signed payload',
      { subject_token: 'e30' },
      400,
      'invalid_grant',
      'MalformedPayload',
      'payload',
    ],
    ['no mint id', { mint_id: undefined }, 400, 'invalid_request', 'MalformedRequest', 'mint_id'],
    [
      'a mint id that can be guessed',
      { mint_id: '1' },
      400,
      'invalid_request',
      'MalformedRequest',
      'mint_id',
    ],
    [
      'no subject',
      { requested_subject: undefined },
      400,
      'invalid_request',
      'MalformedRequest',
      'requested_subject',
    ],
    [
      'another subject',
      { requested_subject: 'bob@example.com' },
      400,
      'access_denied',
      'PolicyDenied',
      undefined,
    ],
    [
      'no resource',
      { resource: undefined },
      400,
      'invalid_request',
      'MalformedRequest',
      'resource',
    ],
    [
      'another resource',
      { resource: 'https://evil.example' },
      400,
      'invalid_grant',
      'PayloadDriftAtMint',
      'aud',
    ],
    [
      'no details',
      { authorization_details: '[]' },
      400,
      'invalid_grant',
      'PayloadDriftAtMint',
      'authorization_details',
    ],
    [
      'details that are no list',
      { authorization_details: '{}' },
      400,
      'invalid_request',
      'MalformedRequest',
      'authorization_details',
    ],
    [
      'details that are no JSON',
      { authorization_details: '[' },
      400,
      'invalid_request',
      'MalformedJson',
      '[0]',
    ],
  ])('refuses %s', async (_name, changes, status, error, code, path) => {
    const { alice, http } = await served();
    const answer = await http.token(tokenForm(alice.sign(form2()), changes));
    expect(answer).toMatchObject({
      status,
      type: expect.stringMatching(/^application\/json/),
      cacheControl: 'no-store',
      body: { error, code, layer: 'vault' },
    });
    expect(answer.body.error_description).toEqual(expect.any(String));
    expect(answer.body.path).toBe(path);
  });

  it.each([
    [
      'other arguments',
      [{ type: 'consent_bridge_action', command: 'delete_task', args: { task_id: 't-99' } }],
    ],
    [
      'another command',
      [{ type: 'consent_bridge_action', command: 'pay', args: { task_id: 't-42' } }],
    ],
    ['another type', [{ type: 'other', command: 'delete_task', args: { task_id: 't-42' } }]],
    [
      'one more',
      [1, 2].map(() => ({
        type: 'consent_bridge_action',
        command: 'delete_task',
        args: { task_id: 't-42' },
      })),
    ],
  ])('refuses to grant %s than was signed', async (_name, details) => {
    const { alice, http } = await served();
    const form = tokenForm(alice.sign(form2()), { authorization_details: JSON.stringify(details) });
    expect((await http.token(form)).body).toMatchObject({
      error: 'invalid_grant',
      code: 'PayloadDriftAtMint',
      path: 'authorization_details',
    });
  });

  it('refuses a client that may not act for the agent', async () => {
    const { alice, http } = await served();
    const { body } = await http.token(tokenForm(alice.sign(form2({ client_id: 'agent-2' }))));
    expect(body).toMatchObject({ error: 'invalid_grant', code: 'WrongClient' });
  });

  it('refuses a parameter that comes twice, bad percent-encoding, and JSON', async () => {
    const { alice, http } = await served();
    const form = new URLSearchParams(tokenForm(alice.sign(form2()))).toString();
    const twice = await http.token(`${form}&resource=${encodeURIComponent(RESOURCE)}`);
    expect(twice.body).toMatchObject({ error: 'invalid_request', path: 'resource' });
    const broken = await http.token(`${form}&x=%zz`);
    expect(broken.body).toMatchObject({ error: 'invalid_request', code: 'MalformedRequest' });
    const json = await http.post('/token', {});
    expect(json.body).toMatchObject({ error: 'invalid_request', code: 'MalformedRequest' });
    const large = await http.token(`x=${'y'.repeat(262_144)}`);
    expect(large).toMatchObject({ status: 413, body: { code: 'PayloadTooLarge' } });
  });

  it('refuses duplicate members in the signed payload', async () => {
    const { alice, http } = await served();
    const text = JSON.stringify(alice.sign(form2())).replace('"cmd":', '"cmd":"get_task","cmd":');
    const form = tokenForm(alice.sign(form2()), {
      subject_token: Buffer.from(text).toString('base64url'),
    });
    expect((await http.token(form)).body).toMatchObject({ code: 'MalformedJson' });
  });

  it('leaves one entry per refusal, with the code, and none for strangers', async () => {
    const { vault, alice, http } = await served();
    await http.token(tokenForm(alice.sign(form2()), { requested_subject: 'bob' }));
    await http.token(tokenForm(alice.sign(form2()), { mint_id: 'short' }));
    await http.token(tokenForm(alice.sign(form2()), { client_assertion: assertion('stranger') }));
    const refused = vault.entries().filter(({ event }) => event === 'mint.refused');
    expect(refused).toMatchObject([
      {
        code: 'PolicyDenied',
        layer: 'vault',
        presented_by: 'bridge',
        approver_id: 'alice@example.com',
      },
      { code: 'MalformedRequest', layer: 'vault', presented_by: 'bridge', path: 'mint_id' },
    ]);
    expect(vault.log).toHaveLength(1);
  });
});

describe('metadata', () => {
  it('is what RFC 8414 asks for', async () => {
    const { http, vault } = await served();
    const { body } = await http.get('/.well-known/oauth-authorization-server');
    expect(body).toEqual({
      issuer: 'http://127.0.0.1:8422',
      token_endpoint: 'http://127.0.0.1:8422/token',
      jwks_uri: 'http://127.0.0.1:8422/.well-known/jwks.json',
      grant_types_supported: ['urn:ietf:params:oauth:grant-type:token-exchange'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256'],
      authorization_details_types_supported: ['consent_bridge_action'],
    });
    const jwks = await http.get('/.well-known/jwks.json');
    expect(jwks.cacheControl).toBe('max-age=60');
    expect(Object.keys(jwks.body.keys[0] ?? {}).sort()).toEqual([
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
    expect(jwks.body.keys[0]?.kid).toBe(vault.store.mintKeys.active().keyId);
  });
});
