import { describe, expect, it } from 'vitest';
import { credentialClaims } from '../../../src/contract/vault.js';
import { readJws } from '../../../vault/jws.js';
import { revokeKeys } from '../../../vault/operator/revoke-key.js';
import { expectRefusal } from './support/refusals.js';
import { form1, form2, NOW, RESOURCE, signWithHmac, signWithPasskey } from './support/signers.js';
import { dataDirectory, ISSUER, openTestVault } from './support/test-vault.js';

const claimsOf = (credential: string) =>
  credentialClaims.parse(readJws(credential, 'at+jwt', 'MalformedCredential').claims);

describe('what is minted', () => {
  it('a JWT with exactly the claims of the design, signed by the published key', async () => {
    const vault = openTestVault(dataDirectory());
    const passkey = await vault.enrolPasskey();
    const payload = form2({ args: { task_id: 't-42', n: 1.5 } });
    const minted = await vault.as().mint(signWithPasskey(passkey, payload));
    expect(minted).toMatchObject({
      exp: payload.exp,
      approverId: 'alice@example.com',
      command: 'delete_task',
    });
    const jws = readJws(minted.credential, 'at+jwt', 'MalformedCredential');
    const [key] = vault.store.mintKeys.published();
    expect(jws.kid).toBe(key!.keyId);
    expect(await jws.isBy(key!)).toBe(true);
    const { consent, ...claims } = jws.claims;
    expect(claims).toEqual({
      iss: ISSUER,
      aud: RESOURCE,
      sub: 'alice@example.com',
      client_id: 'agent-1',
      iat: NOW,
      exp: NOW + 300,
      jti: minted.jti,
      authorization_details: [
        {
          type: 'consent_bridge_action',
          command: 'delete_task',
          args: { task_id: 't-42', n: 1.5 },
        },
      ],
    });
    expect(consent).toMatchObject({ form: 2, nonce: payload.nonce });
    expect(minted.jti).toMatch(/^[0-9a-f]{32}$/);
  });

  it('of form 1 names no client and no nonce', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const { credential } = await vault.as().mint(alice.sign(form1()));
    expect(claimsOf(credential).client_id).toBeUndefined();
    expect(claimsOf(credential).consent).toMatchObject({ form: 1 });
    expect(claimsOf(credential).consent.nonce).toBeUndefined();
  });

  it('with an Ed25519 key if so configured', async () => {
    const vault = openTestVault(dataDirectory({ credential_alg: 'EdDSA' }));
    const alice = await vault.enrolRaw();
    const { credential } = await vault.as().mint(alice.sign(form2()));
    const jws = readJws(credential, 'at+jwt', 'MalformedCredential');
    const [key] = vault.store.mintKeys.published();
    expect(key!.alg).toBe('EdDSA');
    expect(await jws.isBy(key!)).toBe(true);
  });

  it('one record entry for it, and never its arguments', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const { jti } = await vault.as().mint(alice.sign(form2({ args: { secret: 'hunter2' } })));
    const minted = vault.entries().filter(({ event }) => event === 'credential.minted');
    expect(minted).toMatchObject([
      { jti, approver_id: 'alice@example.com', key_id: alice.keyId, presented_by: 'bridge' },
    ]);
    expect(JSON.stringify(vault.entries())).not.toContain('hunter2');
  });
});

describe('what is not', () => {
  it('anything a check refuses; the payload stays unused', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const signed = alice.sign(form2());
    const swapped = { ...signed, payload: { ...signed.payload, binding_message: 'Tidy up?' } };
    await expectRefusal(() => vault.as().mint(swapped), 'SignatureMismatch');
    await expectRefusal(
      () => vault.as({ resource: 'https://evil.example' }).mint(signed),
      'PayloadDriftAtMint',
    );
    await expectRefusal(() => vault.as({ mayActFor: () => false }).mint(signed), 'WrongClient');
    await expectRefusal(
      () => vault.as({ subject: 'bob@example.com' }).mint(signed),
      'PolicyDenied',
    );
    await expectRefusal(
      () => vault.as().mint(alice.sign(form2({ rar_type: 'other' }))),
      'PayloadDriftAtMint',
    );
    await expectRefusal(
      () => vault.as().mint(alice.sign(form2({ exp: NOW + 601 }))),
      'PayloadDriftAtMint',
    );
    await vault.as().mint(signed);
  });

  it('the source document’s HMAC form, which only Tier 1 takes', async () => {
    const vault = openTestVault(dataDirectory());
    await expectRefusal(() => vault.as().mint(signWithHmac('secret', form1())), 'UnknownApprover');
  });

  it('at the signed second', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const signed = alice.sign(form2());
    vault.time.ms = (NOW + 300) * 1000;
    await expectRefusal(() => vault.as().mint(signed), 'CredentialExpired');
    vault.time.ms -= 1;
    await vault.as().mint(signed);
  });

  it('with a key that was revoked by another process a moment ago', async () => {
    const directory = dataDirectory();
    const vault = openTestVault(directory);
    const alice = await vault.enrolRaw();
    await vault.as().mint(alice.sign(form2()));
    const other = openTestVault(directory);
    await revokeKeys(other.operator, { keyId: alice.keyId });
    await expectRefusal(() => vault.as().mint(alice.sign(form2())), 'UnknownApprover');
  });

  it('the earliest refusal wins: unknown key before policy, policy before signature, signature before expiry', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw();
    const signed = alice.sign(form2({ exp: NOW - 1 }));
    const forged = { ...signed, payload: { ...signed.payload, cmd: 'pay' } };
    const unknown = { ...forged, payload: { ...forged.payload, approver_id: 'mallory' } };
    const denied = vault.as({ subject: 'bob' });
    await expectRefusal(() => denied.mint(unknown), 'UnknownApprover');
    await expectRefusal(() => denied.mint(forged), 'PolicyDenied');
    await expectRefusal(() => vault.as().mint(forged), 'SignatureMismatch');
    await expectRefusal(() => vault.as().mint(signed), 'CredentialExpired');
  });
});

describe('one signature mints one credential', () => {
  it('a second presentation is a replay', async () => {
    const vault = openTestVault(dataDirectory());
    const signed = (await vault.enrolRaw()).sign(form2());
    await vault.as().mint(signed);
    await expectRefusal(() => vault.as().mint(signed), 'SignatureReplay');
  });

  it('also after a restart, and under another mint id', async () => {
    const directory = dataDirectory();
    const before = openTestVault(directory);
    const signed = (await before.enrolRaw()).sign(form2());
    await before.as({ mintId: 'a'.repeat(22) }).mint(signed);
    before.close();
    const after = openTestVault(directory);
    await expectRefusal(() => after.as({ mintId: 'b'.repeat(22) }).mint(signed), 'SignatureReplay');
  });

  it('also with another valid signature over the same bytes', async () => {
    const vault = openTestVault(dataDirectory());
    const alice = await vault.enrolRaw('es256');
    const payload = form2();
    await vault.as().mint(alice.sign(payload));
    await expectRefusal(() => vault.as().mint(alice.sign(payload)), 'SignatureReplay');
    const passkey = await vault.enrolPasskey();
    await expectRefusal(
      () => vault.as().mint(signWithPasskey(passkey, payload)),
      'SignatureReplay',
    );
  });

  it('of twenty at once one wins', async () => {
    const vault = openTestVault(dataDirectory());
    const signed = (await vault.enrolRaw()).sign(form2());
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => vault.as().mint(signed)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = all.filter((result) => result.status === 'rejected');
    expect(new Set(refused.map(({ reason }) => Object(reason).code as unknown))).toEqual(
      new Set(['SignatureReplay']),
    );
  });

  it('an identical repeat, even after a restart, gets the same one', async () => {
    const directory = dataDirectory();
    const before = openTestVault(directory);
    const signed = (await before.enrolRaw()).sign(form2());
    const mintId = 'm'.repeat(22);
    const first = await before.as({ mintId }).mint(signed);
    before.close();
    const after = openTestVault(directory, { ms: (NOW + 20) * 1000 });
    const second = await after.as({ mintId }).mint(signed);
    expect(claimsOf(second.credential)).toEqual(claimsOf(first.credential));
    expect(after.events().slice(-2)).toEqual(['credential.minted', 'credential.repeated']);
  });

  it('a repeat by another client, or for another resource server, is a replay', async () => {
    const other = 'http://127.0.0.1:9999';
    const vault = openTestVault(dataDirectory({ audiences: [RESOURCE, other] }));
    const signed = (await vault.enrolRaw()).sign(form1());
    const mintId = 'm'.repeat(22);
    await vault.as({ mintId }).mint(signed);
    await expectRefusal(() => vault.as({ mintId, clientId: 'b2' }).mint(signed), 'SignatureReplay');
    await expectRefusal(
      () => vault.as({ mintId, resource: other }).mint(signed),
      'SignatureReplay',
    );
  });

  it('is remembered until after the deadline, and then swept', async () => {
    const directory = dataDirectory();
    const vault = openTestVault(directory);
    const signed = (await vault.enrolRaw()).sign(form2());
    await vault.as({ mintId: 'm'.repeat(22) }).mint(signed);
    vault.time.ms = (NOW + 299) * 1000;
    await vault.store.sweep();
    await expectRefusal(() => vault.as().mint(signed), 'SignatureReplay');
    vault.time.ms = (NOW + 361) * 1000;
    await vault.store.sweep();
    await expectRefusal(() => vault.as().mint(signed), 'CredentialExpired');
  });
});

describe('authenticator counters', () => {
  it('go up once per signed bytes, whether examined first or not', async () => {
    const vault = openTestVault(dataDirectory());
    const passkey = await vault.enrolPasskey({ counts: true });
    const first = signWithPasskey(passkey, form2());
    const second = signWithPasskey(passkey, form2());
    await vault.as({ mintId: 'm'.repeat(22) }).mint(first);
    await vault.as({ mintId: 'm'.repeat(22) }).mint(first);
    await vault.as().mint(second);
    expect(vault.store.approverKeys.counterOf(passkey.credential().keyId)).toBe(2);
  });

  it('that go back show a copied authenticator', async () => {
    const vault = openTestVault(dataDirectory());
    const passkey = await vault.enrolPasskey({ counts: true });
    await vault.as().mint(signWithPasskey(passkey, form2(), { counter: 9 }));
    const copied = signWithPasskey(passkey, form2(), { counter: 9 });
    await expectRefusal(() => vault.as().mint(copied), 'AuthenticatorCloned');
    // Once more: a refusal left no trace that would let the same bytes through.
    await expectRefusal(() => vault.as().mint(copied), 'AuthenticatorCloned');
    await expectRefusal(
      () => vault.as().mint(signWithPasskey(passkey, form2(), { counter: 0 })),
      'AuthenticatorCloned',
    );
    await vault.as().mint(signWithPasskey(passkey, form2(), { counter: 10 }));
  });

  it('that stay at nought are fine', async () => {
    const vault = openTestVault(dataDirectory());
    const passkey = await vault.enrolPasskey();
    await vault.as().mint(signWithPasskey(passkey, form2()));
    await vault.as().mint(signWithPasskey(passkey, form2()));
  });
});
