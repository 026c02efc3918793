import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import type { JwsAlgorithm } from '../../../vault/jws.js';
import { signJws } from '../../../vault/jws.js';
import { expectRefusal } from './support/refusals.js';
import { form2, NOW, rawSigner, RESOURCE } from './support/signers.js';
import { dataDirectory, ISSUER, openTestVault } from './support/test-vault.js';

const ARGS = { task_id: 't-42' };

async function withCredential() {
  const vault = openTestVault(dataDirectory());
  const alice = await vault.enrolRaw();
  const { credential, jti } = await vault.as().mint(alice.sign(form2()));
  return { vault, credential, jti };
}

const claims = (changes: JsonObject = {}): JsonObject => ({
  iss: ISSUER,
  aud: RESOURCE,
  sub: 'alice@example.com',
  client_id: 'agent-1',
  iat: NOW,
  exp: NOW + 300,
  jti: 'f'.repeat(32),
  authorization_details: [{ type: 'consent_bridge_action', command: 'delete_task', args: ARGS }],
  consent: { hash: 'A'.repeat(43), form: 2, nonce: 'n' },
  ...changes,
});

describe('OAuthVault.consume', () => {
  it('spends the credential once, for exactly its call', async () => {
    const { vault, credential, jti } = await withCredential();
    await expectRefusal(
      () => vault.as().consume(credential, 'delete_task', { task_id: 't-99' }),
      'CredentialDrift',
    );
    await expectRefusal(() => vault.as().consume(credential, 'get_task', ARGS), 'CredentialDrift');
    expect(await vault.as().consume(credential, 'delete_task', ARGS)).toMatchObject({ jti });
    await expectRefusal(
      () => vault.as().consume(credential, 'delete_task', ARGS),
      'CredentialReplay',
    );
    expect(vault.events().filter((event) => event === 'credential.consumed')).toHaveLength(1);
  });

  it('remembers across a restart', async () => {
    const { vault, credential } = await withCredential();
    await vault.as().consume(credential, 'delete_task', ARGS);
    vault.close();
    const again = openTestVault(vault.directory);
    await expectRefusal(
      () => again.as().consume(credential, 'delete_task', ARGS),
      'CredentialReplay',
    );
  });

  it('is over at exp', async () => {
    const { vault, credential } = await withCredential();
    vault.time.ms = (NOW + 300) * 1000;
    await expectRefusal(
      () => vault.as().consume(credential, 'delete_task', ARGS),
      'CredentialExpired',
    );
  });

  it.each([
    ['another issuer', { iss: 'https://evil.example' }, 'UnknownIssuer'],
    ['another audience', { aud: 'https://evil.example' }, 'WrongAudience'],
    [
      'two details',
      {
        authorization_details: [1, 2].map(() => claims()['authorization_details']).flat() as never,
      },
      'MalformedCredential',
    ],
    ['no details', { authorization_details: [] }, 'MalformedCredential'],
    ['no jti', { jti: '' }, 'MalformedCredential'],
  ] as const)('refuses %s, though signed by the vault', async (_name, changes, code) => {
    const vault = openTestVault(dataDirectory());
    const token = await signJws('at+jwt', claims(changes), vault.store.mintKeys.active());
    await expectRefusal(() => vault.as().consume(token, 'delete_task', ARGS), code);
  });

  it.each(['not a token', 'a.b.c', '', '..', `e30.e30.e30`])('refuses %j', async (token) => {
    const vault = openTestVault(dataDirectory());
    await expectRefusal(
      () => vault.as().consume(token, 'delete_task', ARGS),
      'MalformedCredential',
    );
  });

  it.each([
    ['alg none', { alg: 'none' }],
    ['alg HS256', { alg: 'HS256' }],
    ['a jwk in the header', { jwk: rawSigner('es256').publicJwk }],
    ['a jku in the header', { jku: 'https://evil.example/jwks' }],
    ['crit', { crit: ['exp'] }],
    ['another typ', { typ: 'JWT' }],
  ])('refuses %s', async (_name, header) => {
    const vault = openTestVault(dataDirectory());
    const mallory = rawSigner('es256');
    const kid = vault.store.mintKeys.active().keyId;
    const token = mallory.jwt({ typ: 'at+jwt', kid, ...header }, claims());
    await expectRefusal(
      () => vault.as().consume(token, 'delete_task', ARGS),
      'MalformedCredential',
    );
  });

  it.each(['mine', '../../dev/null'])('refuses a signature by another key, kid %s', async (kid) => {
    const vault = openTestVault(dataDirectory());
    const named = kid === 'mine' ? vault.store.mintKeys.active().keyId : kid;
    const token = rawSigner('es256').jwt({ typ: 'at+jwt', kid: named }, claims());
    await expectRefusal(() => vault.as().consume(token, 'delete_task', ARGS), 'UnknownIssuer');
  });

  it('pins the algorithm to the key, not to the header', async () => {
    const vault = openTestVault(dataDirectory());
    const { key, keyId } = vault.store.mintKeys.active();
    const lying = { key, keyId, alg: 'EdDSA' as JwsAlgorithm };
    const token = await signJws('at+jwt', claims(), lying);
    await expectRefusal(() => vault.as().consume(token, 'delete_task', ARGS), 'UnknownIssuer');
  });
});
