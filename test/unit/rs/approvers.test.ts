import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApproverKey } from '../../../src/contract/wire.js';
import { listApprovers, revoke, trust } from '../../../rs/operator.js';
import { Fixture, ISSUER } from './fixture.js';
import type { KeyPair } from './keys.js';
import { assertion, b64, credentialIdOf, keyPair, rawSign, signRaw } from './keys.js';

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(() => f.close());
const NOBODY = { args: { task_id: 't-99' } };

describe('the directory', () => {
  it('does not know a key nobody trusted', async () => {
    const payload = f.payload(NOBODY);
    const signed = signRaw(keyPair(), payload);
    expect(await f.verdict(f.request({ payload, signed }))).toBe('UnknownApprover');
    expect(f.vault.seen.filter((path) => path.includes('/approvers/'))).toEqual([]);
  });

  it('does not take the key of one approver for another', async () => {
    await f.trust('bob', f.bob);
    const payload = f.payload(NOBODY);
    expect(await f.verdict(f.request({ payload, signed: signRaw(f.bob, payload) }))).toBe(
      'UnknownApprover',
    );
  });

  it('does not take a passkey for a raw key, nor a raw key for a passkey', async () => {
    const payload = f.payload(NOBODY);
    const signed = { payload, signature: assertion(f.alice, payload) };
    expect(await f.verdict(f.request({ payload, signed }))).toBe('UnknownApprover');
    const passkey = keyPair();
    await f.trust('alice', passkey, true);
    expect(await f.verdict(f.request({ payload, signed: signRaw(passkey, payload) }))).toBe(
      'UnknownApprover',
    );
  });

  it('an HMAC is never a signature here', async () => {
    const payload = f.payload(NOBODY);
    const signature = {
      scheme: 'hmac-sha256' as const,
      key_id: f.alice.keyId,
      signature: '0'.repeat(64),
    };
    expect(await f.verdict(f.request({ payload, signed: { payload, signature } }))).toBe(
      'UnknownApprover',
    );
  });

  it('a revocation counts at once, and an operator can undo it', async () => {
    expect(await f.verdict(f.request({ payload: f.payload(NOBODY) }))).toBe('failure');
    expect(await revoke(f.dir, f.clock, { approver: 'alice' })).toEqual([f.alice.keyId]);
    expect(await f.verdict(f.request({ payload: f.payload(NOBODY) }))).toBe('UnknownApprover');
    await f.trust('alice', f.alice);
    expect(await f.verdict(f.request({ payload: f.payload(NOBODY) }))).toBe('failure');
    const events = f.record().map((entry) => entry.event);
    expect(events.filter((event) => event.startsWith('approver.'))).toEqual([
      'approver.trusted',
      'approver.revoked',
      'approver.trusted',
    ]);
  });

  it('raw schemes verify: es256 and eddsa', async () => {
    await f.trust('bob', f.bob);
    const payload = f.payload({ ...NOBODY, approver_id: 'bob' });
    const body = { caller: f.caller({ subject: 'bob' }) };
    const signed = signRaw(f.bob, payload);
    expect(await f.verdict(f.request({ payload, signed, body }))).toBe('failure');
    const forged = { payload, signature: { ...signed.signature, signature: 'A'.repeat(86) } };
    expect(await f.verdict(f.request({ payload, signed: forged, body }))).toBe('SignatureMismatch');
  });
});

describe('policy', () => {
  const verdict = async (policy: object, approver: string, subject: string) => {
    await f.restart({ policy });
    const payload = f.payload({ ...NOBODY, approver_id: approver });
    const signed = signRaw(approver === 'bob' ? f.bob : f.alice, payload);
    return f.verdict(f.request({ payload, signed, body: { caller: f.caller({ subject }) } }));
  };
  beforeEach(() => f.trust('bob', f.bob));

  it('by default only the caller’s own subject approves', async () => {
    const policy = { default: ['subject'], commands: {} };
    expect(await verdict(policy, 'alice', 'alice')).toBe('failure');
    expect(await verdict(policy, 'bob', 'alice')).toBe('PolicyDenied');
  });

  it('exact name, then the longest prefix, then the default', async () => {
    const commands = { 'delete_*': ['bob'], '*': ['carol'] };
    expect(await verdict({ default: ['alice'], commands }, 'bob', 'alice')).toBe('failure');
    expect(await verdict({ default: ['alice'], commands }, 'alice', 'alice')).toBe('PolicyDenied');
    const exact = { ...commands, delete_task: ['subject'] };
    expect(await verdict({ default: [], commands: exact }, 'alice', 'alice')).toBe('failure');
    expect(await verdict({ default: [], commands: exact }, 'bob', 'alice')).toBe('PolicyDenied');
  });

  it('an empty list lets nobody', async () => {
    expect(await verdict({ default: [], commands: {} }, 'alice', 'alice')).toBe('PolicyDenied');
  });
});

describe('trust at enrolment', () => {
  const entry = (approver: string, key: KeyPair, changes: object = {}): ApproverKey => ({
    approver_id: approver,
    key_id: key.keyId,
    scheme: 'webauthn',
    public_jwk: JSON.parse(JSON.stringify(key.jwk)),
    credential_id: credentialIdOf(key),
    label: 'phone',
    created_at: 1_900_000_000,
    ...changes,
  });
  const enrolling = async () => {
    writeKey();
    await f.restart({
      approvers: { trust_on_enrolment: true, directory_url: f.vault.url },
      client: { client_id: 'rs', private_jwk_file: 'client.jwk' },
    });
  };
  const writeKey = () =>
    writeFileSync(
      join(f.dir, 'client.jwk'),
      JSON.stringify(f.own.privateKey.export({ format: 'jwk' })),
    );
  const sign = (key: KeyPair) => {
    const payload = f.payload(NOBODY);
    return f.verdict(
      f.request({ payload, signed: { payload, signature: assertion(key, payload) } }),
    );
  };

  it('pins an unknown key once, with proof of who asks, and says so in the record', async () => {
    const phone = keyPair();
    f.vault.enrolled = [entry('alice', phone)];
    await enrolling();
    expect(await sign(phone)).toBe('failure');
    expect(await sign(phone)).toBe('failure');
    const lookups = f.vault.seen.filter((path) => path.includes('/approvers/'));
    expect(lookups).toEqual(['GET /v1/approvers/alice/keys']);
    const trusted = f.record().filter((e) => e.event === 'approver.trusted');
    expect(trusted.at(-1)).toMatchObject({ source: 'enrolment', key_id: phone.keyId });
    const token = f.vault.authorizations.at(-1)!.slice('Bearer '.length);
    const [header, claims, signature] = token.split('.');
    expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toEqual({
      alg: 'ES256',
      typ: 'client-authentication+jwt',
      kid: f.own.keyId,
    });
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({
      iss: 'rs',
      sub: 'rs',
      aud: ISSUER,
      exp: Math.floor(f.nowMs / 1000) + 60,
    });
    const key = createPublicKey(f.own.privateKey);
    expect(
      verify(
        'sha256',
        Buffer.from(`${header!}.${claims!}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature!, 'base64url'),
      ),
    ).toBe(true);
  });

  it('a key once revoked here is not trusted again by itself', async () => {
    const phone = keyPair();
    f.vault.enrolled = [entry('alice', phone)];
    await enrolling();
    expect(await sign(phone)).toBe('failure');
    await revoke(f.dir, f.clock, { keyId: phone.keyId });
    expect(await sign(phone)).toBe('UnknownApprover');
  });

  it.each([
    ['under another name', (key: KeyPair) => entry('bob', key)],
    ['with another thumbprint', (key: KeyPair) => entry('alice', keyPair(), { key_id: key.keyId })],
    ['without a credential id', (key: KeyPair) => without(entry('alice', key), 'credential_id')],
    [
      'of a scheme it cannot have',
      (key: KeyPair) => without(entry('alice', key, { scheme: 'eddsa' }), 'credential_id'),
    ],
  ])('does not pin a key listed %s', async (_name, list) => {
    const phone = keyPair();
    f.vault.enrolled = [list(phone) as ApproverKey];
    await enrolling();
    expect(await sign(phone)).toBe('UnknownApprover');
    expect((await listApprovers(f.dir, f.clock)).map((k) => k.key_id)).toEqual([f.alice.keyId]);
  });

  it('a listed key with a private member is not pinned', async () => {
    const phone = keyPair();
    const secret = JSON.parse(JSON.stringify(phone.privateKey.export({ format: 'jwk' })));
    f.vault.enrolled = [entry('alice', phone, { public_jwk: secret })];
    await enrolling();
    expect(await sign(phone)).toBe('UnknownApprover');
  });

  it('an unreachable vault is Unavailable, and a pinned key still works', async () => {
    await enrolling();
    expect(await f.verdict(f.request({ payload: f.payload(NOBODY) }))).toBe('failure');
    f.vault.broken = true;
    expect(await sign(keyPair())).toBe('Unavailable');
    expect(await f.verdict(f.request({ payload: f.payload(NOBODY) }))).toBe('failure');
  });
});

describe('an operator’s trust', () => {
  const problem = (options: object, key = keyPair()) =>
    trust(f.dir, f.clock, {
      approver: 'alice',
      publicJwk: JSON.stringify(key.jwk),
      ...options,
    }).then(
      () => 'trusted',
      (error: unknown) => String(error),
    );

  it('shows the thumbprint', async () => {
    const key = keyPair('EdDSA');
    const pinned = await f.trust('carol', key);
    expect(pinned).toMatchObject({ key_id: key.keyId, scheme: 'eddsa' });
  });

  it('refuses what does not belong together', async () => {
    expect(await problem({ scheme: 'webauthn' })).toMatch(/credential id/);
    expect(await problem({ scheme: 'es256', credentialId: 'AAAA' })).toMatch(/credential id/);
    expect(await problem({ scheme: 'eddsa' })).toMatch(/cannot be ES256/);
    expect(await problem({ scheme: 'hmac-sha256' })).toMatch(/cannot be ES256/);
    expect(await problem({ approver: 'bob' }, f.alice)).toMatch(/another approver/);
    expect(await problem({ publicJwk: '{"kty":"oct","k":"AAAA"}' })).toMatch(/not a public/);
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const shortJwk = JSON.stringify(short.export({ format: 'jwk' }));
    expect(await problem({ publicJwk: shortJwk, credentialId: 'AAAA' })).toMatch(/not a public/);
    const off = { ...keyPair().jwk, x: b64(Buffer.alloc(32, 1)) };
    expect(await problem({ publicJwk: JSON.stringify(off) })).not.toBe('trusted');
  });
});

it('the fixture’s own raw signature has the JOSE length', () => {
  expect(rawSign(f.alice, Buffer.from('x'))).toHaveLength(64);
});

function without(entry: ApproverKey, member: keyof ApproverKey): object {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== member));
}
