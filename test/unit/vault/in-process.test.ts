import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import { sha256 } from '../../../vault/digest.js';
import { InProcessVault } from '../../../vault/in-process.js';
import { memoryDirectory, octJwk } from '../../../vault/memory-directory.js';
import { createSoftwareAuthenticator } from '../../support/software-authenticator.js';
import { expectRefusal } from './support/refusals.js';
import { form1, form2, NOW, RESOURCE, signWithHmac, signWithPasskey } from './support/signers.js';
import { dataDirectory, openTestVault } from './support/test-vault.js';

const SECRET = 'demo-user-signing-secret';
const ALICE = 'alice@example.com';
const ARGS = { task_id: 't-42' };

function tier1({
  approver = ALICE,
  time = { ms: NOW * 1000 },
  mayApprove = (): boolean => true,
} = {}) {
  const passkey = createSoftwareAuthenticator({
    rpId: 'localhost',
    origin: 'http://localhost:8421',
    counts: true,
  });
  passkey.create({
    rp: { id: 'localhost', name: 'x' },
    user: { id: 'YQ', name: approver, displayName: approver },
    challenge: 'AAAA',
    pubKeyCredParams: [],
  });
  const { publicJwk, id } = passkey.credential();
  const vault = new InProcessVault({
    approvers: memoryDirectory([
      { approverId: approver, scheme: 'hmac-sha256', jwk: octJwk(SECRET) },
      { approverId: approver, scheme: 'webauthn', jwk: publicJwk, credentialId: id },
    ]),
    mayApprove,
    rarTypes: ['consent_bridge_action', 'tasktracker_task_action'],
    audiences: [RESOURCE],
    maxTtlSeconds: 600,
    webauthn: { rpId: 'localhost', origins: ['http://localhost:8421'] },
    clock: () => time.ms,
    random: randomBytes,
  });
  return { vault, passkey, time };
}

describe('form 1, as the source document’s own implementation signs it', () => {
  const reference = {
    cmd: 'delete-task',
    args: { task_id: 't-42' },
    rar_type: 'tasktracker_task_action',
    exp: 1_779_315_522,
    approver_id: ALICE,
    binding_message: 'Delete the task t-42?',
  };
  it.each([
    [
      'minimal',
      reference,
      '352287283811f1039b70ffd74ba23d3198004285e56a667632b6aca7797636d3',
      'b2185b55fd064b3b253822270717619178d5ed005b2601ae9d70ce4a16404633',
    ],
    [
      'non-ASCII approver',
      { ...reference, approver_id: 'alïce@example.com' },
      'ee5ae6b75a16387579d534649a12fe4a66695fb8a79159bef27b1ad63ebe27c3',
      'bad17c4e0788b1d85d7abdd349822d6b8a666649c7b31991decf5493fff15ba8',
    ],
    [
      'nested keys',
      { ...reference, args: { z: { b: 1, a: { d: 4, c: 3 } }, a: [{ y: 1, x: 2 }] } },
      '8abf73e8f2d71a35ef032edf6f60c6cf9f3ced264fe34efae106b199b0eb7a5a',
      'b18a059a097197d982fbc7aa489e9c156e19984c2d30d1067b43a90a73a3e540',
    ],
    [
      'empty arguments',
      { ...reference, args: {} },
      'e163ada0acd24139fb56341546390d164d853d4973be9ee0b9e149c01528c69c',
      'a263657a06d005bc6309a429f33e52fd1560507d809afdd0b91c42cffaf28b50',
    ],
  ])('%s', async (_name, payload, digest, mac) => {
    const { vault } = tier1({ approver: payload.approver_id });
    const signed = signWithHmac(SECRET, payload);
    expect(sha256(canonicalBytes(payload, 'vault')).toString('hex')).toBe(digest);
    expect(signed.signature.signature).toBe(mac);
    const { credential } = await vault.mint(signed);
    await vault.consume(credential, payload.cmd, payload.args);
  });
});

const sign = (payload = form1()) => signWithHmac(SECRET, payload);

describe('InProcessVault', () => {
  it('mints an opaque id and consumes it once, for exactly its call', async () => {
    const { vault } = tier1();
    const { credential, jti } = await vault.mint(sign());
    expect(credential).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(credential).not.toContain(jti);
    await expectRefusal(() => vault.consume(credential, 'delete_task', {}), 'CredentialDrift');
    await expectRefusal(() => vault.consume(credential, 'pay', ARGS), 'CredentialDrift');
    expect(await vault.consume(credential, 'delete_task', ARGS)).toMatchObject({ jti });
    await expectRefusal(() => vault.consume(credential, 'delete_task', ARGS), 'CredentialReplay');
  });

  it('of twenty consumptions at once one wins', async () => {
    const { vault } = tier1();
    const { credential } = await vault.mint(sign());
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => vault.consume(credential, 'delete_task', ARGS)),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses with the codes of Tier 2', async () => {
    const { vault } = tier1();
    const signed = sign();
    const changed = { ...signed, payload: { ...signed.payload, binding_message: 'Tidy?' } };
    await expectRefusal(() => vault.mint(changed), 'SignatureMismatch');
    await expectRefusal(() => vault.mint(sign(form1({ exp: NOW }))), 'CredentialExpired');
    await expectRefusal(() => vault.mint(sign(form1({ exp: NOW + 601 }))), 'PayloadDriftAtMint');
    await expectRefusal(() => vault.mint(sign(form1({ rar_type: 'x' }))), 'PayloadDriftAtMint');
    await expectRefusal(() => vault.mint(sign(form2({ aud: 'x' }))), 'PayloadDriftAtMint');
    await expectRefusal(() => vault.mint(sign(form1({ approver_id: 'bob' }))), 'UnknownApprover');
    await vault.mint(signed);
    await expectRefusal(() => vault.mint(signed), 'SignatureReplay');
    const strict = tier1({ mayApprove: () => false });
    await expectRefusal(() => strict.vault.mint(sign()), 'PolicyDenied');
  });

  it.each([
    ['a hole', { a: undefined }],
    ['a BigInt', { a: 1n }],
    ['a function', { a: () => 1 }],
    ['a date', { a: new Date(0) }],
  ])('refuses %s in the arguments, typed', async (_name, args) => {
    const { vault } = tier1();
    const signed = sign();
    const hostile = { ...signed, payload: { ...signed.payload, args } };
    await expectRefusal(() => vault.mint(hostile as never), 'MalformedPayload');
    const { credential } = await vault.mint(signed);
    await expectRefusal(
      () => vault.consume(credential, 'delete_task', args as never),
      'CredentialDrift',
    );
  });

  it('mints what was signed, whatever the caller does to it meanwhile', async () => {
    const { vault } = tier1();
    const args = { task_id: 't-42' };
    const minting = vault.mint(sign(form1({ args })));
    args.task_id = 't-99';
    const { credential } = await minting;
    await expectRefusal(() => vault.consume(credential, 'delete_task', args), 'CredentialDrift');
    await vault.consume(credential, 'delete_task', ARGS);
  });

  it('refuses an id it never gave, and one that is over', async () => {
    const { vault, time } = tier1();
    await expectRefusal(
      () => vault.consume('nonsense', 'delete_task', ARGS),
      'MalformedCredential',
    );
    const stranger = randomBytes(32).toString('base64url');
    await expectRefusal(() => vault.consume(stranger, 'delete_task', ARGS), 'UnknownIssuer');
    const { credential } = await vault.mint(sign());
    time.ms = (NOW + 300) * 1000;
    await expectRefusal(() => vault.consume(credential, 'delete_task', ARGS), 'CredentialExpired');
  });

  it('keeps counters', async () => {
    const { vault, passkey } = tier1();
    await vault.mint(signWithPasskey(passkey, form2(), { counter: 5 }));
    const back = signWithPasskey(passkey, form2(), { counter: 4 });
    await expectRefusal(() => vault.mint(back), 'AuthenticatorCloned');
  });
});

/** Moving from one tier to the other is one substitution: both hold to the same contract. */
describe.each([
  [
    'Tier 1',
    () => {
      const { vault, passkey } = tier1();
      return Promise.resolve({ vault: vault, passkey });
    },
  ],
  [
    'Tier 2',
    async () => {
      const opened = openTestVault(dataDirectory());
      return { vault: opened.as(), passkey: await opened.enrolPasskey() };
    },
  ],
])('%s behind the one interface', (_tier, make) => {
  it('mints once, consumes once', async () => {
    const { vault, passkey } = await make();
    const signed = signWithPasskey(passkey, form2());
    const { credential } = await vault.mint(signed);
    await expectRefusal(() => vault.mint(signed), 'SignatureReplay');
    await expectRefusal(() => vault.consume(credential, 'delete_task', {}), 'CredentialDrift');
    await vault.consume(credential, 'delete_task', ARGS);
    await expectRefusal(() => vault.consume(credential, 'delete_task', ARGS), 'CredentialReplay');
  });
});
