import { describe, expect, it } from 'vitest';
import { checkAgent } from '../../../vault/checks/check-agent.js';
import { checkApproverKey } from '../../../vault/checks/check-approver-key.js';
import { checkAudience } from '../../../vault/checks/check-audience.js';
import { checkCounter } from '../../../vault/checks/check-counter.js';
import { checkKnownForm } from '../../../vault/checks/check-known-form.js';
import { checkNotExpired } from '../../../vault/checks/check-not-expired.js';
import { checkPolicy } from '../../../vault/checks/check-policy.js';
import { checkRarType } from '../../../vault/checks/check-rar-type.js';
import { Consent } from '../../../vault/consent.js';
import { checkTtl } from '../../../vault/checks/check-ttl.js';
import { checkUnused } from '../../../vault/checks/check-unused.js';
import { memoryDirectory } from '../../../vault/memory-directory.js';
import { expectRefusal } from './support/refusals.js';
import { form1, form2, NOW, rawSigner, RESOURCE } from './support/signers.js';

const alice = rawSigner('eddsa');
const signed = (changes = {}) => alice.sign(form2(changes));

describe('check-shape', () => {
  it('takes both forms and hands back frozen what the bytes say', () => {
    const consent = Consent.read(signed({ args: { b: [1, { c: null }], a: 'é' } }));
    expect(consent.form).toBe(2);
    expect(consent.payload.args).toEqual({ b: [1, { c: null }], a: 'é' });
    expect(Object.isFrozen(consent.payload.args['b'])).toBe(true);
    expect(Consent.read(alice.sign(form1())).form).toBe(1);
  });

  it('is not affected by the caller changing the arguments afterwards', () => {
    const args = { task_id: 't-42' };
    const consent = Consent.read(signed({ args }));
    args.task_id = 't-99';
    expect(consent.payload.args).toEqual({ task_id: 't-42' });
  });

  it('keeps __proto__ a member like any other', () => {
    const args = JSON.parse('{"__proto__":{"admin":true}}');
    const { payload } = Consent.read(signed({ args }));
    expect(Object.keys(payload.args)).toEqual(['__proto__']);
    expect((payload.args as { admin?: unknown }).admin).toBeUndefined();
  });

  const good = signed();
  it.each([
    [
      'an unknown member of the payload',
      { ...good, payload: { ...good.payload, note: 1 } },
      'note',
    ],
    [
      '__proto__ as a member',
      JSON.parse(JSON.stringify(good).replace('"cmd"', '"__proto__":1,"cmd"')),
      '__proto__',
    ],
    ['an unknown member beside', { ...good, extra: 1 }, 'extra'],
    ['a missing member', { ...good, payload: { ...form1(), exp: undefined } }, 'exp'],
    ['seconds with a fraction', { ...good, payload: { ...good.payload, exp: NOW + 0.5 } }, 'exp'],
    ['a fraction in form 1', { ...good, payload: form1({ args: { n: [1.5] } }) }, 'args.n[0]'],
    ['arguments that are no object', { ...good, payload: { ...good.payload, args: [] } }, 'args'],
    ['undefined deep in the arguments', signedAs({ a: { b: undefined } }), 'args.a.b'],
    ['a BigInt', signedAs({ n: 1n }), 'args.n'],
    ['a function', signedAs({ f: () => 1 }), 'args.f'],
    ['a lone surrogate', signedAs({ s: '\ud800' }), 'args.s'],
    [
      'an unknown scheme',
      { ...good, signature: { ...good.signature, scheme: 'rsa' } },
      'signature.scheme',
    ],
    [
      'a short signature',
      { ...good, signature: { ...good.signature, signature: 'AA' } },
      'signature.signature',
    ],
    ['no signature', { payload: good.payload }, 'signature'],
    ['null', null, ''],
    ['a list', [good], ''],
  ])('refuses %s', async (_name, input, path) => {
    const refusal = await expectRefusal(() => Consent.read(input), 'MalformedPayload');
    expect(refusal.path).toBe(path);
  });

  it('refuses more than 64 KiB of canonical bytes', async () => {
    const input = { ...good, payload: { ...good.payload, args: { s: 'x'.repeat(65_536) } } };
    await expectRefusal(() => Consent.read(input), 'PayloadTooLarge');
  });

  function signedAs(args: object): unknown {
    return { ...good, payload: { ...good.payload, args } };
  }
});

describe('check-known-form', () => {
  it.each([3, '2', null, 1, 2.5])('refuses v = %j', async (v) => {
    await expectRefusal(() => checkKnownForm({ v }), 'PayloadDriftAtMint');
  });
  it('knows the two forms', () => {
    expect(checkKnownForm({})).toBe(1);
    expect(checkKnownForm({ v: 2 })).toBe(2);
  });
});

describe('check-rar-type', () => {
  it('takes a configured type only', async () => {
    const consent = Consent.read(signed());
    checkRarType(consent, ['other', 'consent_bridge_action']);
    await expectRefusal(() => checkRarType(consent, ['other']), 'PayloadDriftAtMint');
  });
});

describe('check-audience', () => {
  const OTHER = 'https://evil.example';
  it('takes the configured resource server the human signed for', () => {
    checkAudience(Consent.read(signed()), RESOURCE, [RESOURCE]);
    checkAudience(Consent.read(signed()), undefined, [RESOURCE]);
    checkAudience(Consent.read(alice.sign(form1())), RESOURCE, [RESOURCE]);
  });
  it.each([
    ['a stranger in the payload', signed({ aud: OTHER }), RESOURCE, [RESOURCE]],
    ['a stranger in the request', signed(), OTHER, [RESOURCE]],
    ['two that differ, though both are known', signed(), OTHER, [RESOURCE, OTHER]],
    ['a stranger in both', signed({ aud: OTHER }), OTHER, [RESOURCE]],
    ['a stranger where form 1 names none', alice.sign(form1()), OTHER, [RESOURCE]],
    ['a stranger when only examined', signed({ aud: OTHER }), undefined, [RESOURCE]],
  ])('refuses %s', async (_name, input, resource, audiences) => {
    const consent = Consent.read(input);
    await expectRefusal(() => checkAudience(consent, resource, audiences), 'PayloadDriftAtMint');
  });
});

describe('check-agent', () => {
  it('takes an agent the client may act for, and form 1, which names none', async () => {
    const mayActFor = (agent: string) => agent === 'agent-1';
    checkAgent(Consent.read(signed()), mayActFor);
    checkAgent(Consent.read(alice.sign(form1())), mayActFor);
    const other = Consent.read(signed({ client_id: 'agent-2' }));
    await expectRefusal(() => checkAgent(other, mayActFor), 'WrongClient');
  });
});

describe('check-approver-key', () => {
  const directory = memoryDirectory([
    { approverId: 'alice@example.com', scheme: 'eddsa', jwk: alice.publicJwk },
  ]);
  it("takes the approver's own key only", async () => {
    expect(checkApproverKey(Consent.read(signed()), directory).keyId).toBe(alice.keyId);
    const asBob = Consent.read(signed({ approver_id: 'bob@example.com' }));
    await expectRefusal(() => checkApproverKey(asBob, directory), 'UnknownApprover');
    const stranger = Consent.read(rawSigner('eddsa').sign(form2()));
    await expectRefusal(() => checkApproverKey(stranger, directory), 'UnknownApprover');
  });
});

describe('check-policy', () => {
  it('asks about this approver and this command', async () => {
    const asked: string[][] = [];
    const consent = Consent.read(signed());
    checkPolicy(consent, (...question) => asked.push(question) > 0);
    expect(asked).toEqual([['alice@example.com', 'delete_task']]);
    await expectRefusal(() => checkPolicy(consent, () => false), 'PolicyDenied');
  });
});

describe('check-not-expired', () => {
  it('is over at the signed second, not after it', async () => {
    const consent = Consent.read(signed({ exp: NOW }));
    checkNotExpired(consent, NOW * 1000 - 1);
    await expectRefusal(() => checkNotExpired(consent, NOW * 1000), 'CredentialExpired');
  });
});

describe('check-ttl', () => {
  it('bounds how far away the deadline is', async () => {
    const consent = Consent.read(signed({ exp: NOW + 600 }));
    checkTtl(consent, NOW * 1000, 600);
    await expectRefusal(() => checkTtl(consent, NOW * 1000 - 1, 600), 'PayloadDriftAtMint');
  });
});

describe('check-counter', () => {
  it('goes up, or stays at nought for ever', async () => {
    checkCounter(0, 0);
    checkCounter(1, 0);
    checkCounter(8, 7);
    await expectRefusal(() => checkCounter(7, 7), 'AuthenticatorCloned');
    await expectRefusal(() => checkCounter(6, 7), 'AuthenticatorCloned');
    await expectRefusal(() => checkCounter(0, 7), 'AuthenticatorCloned');
  });
});

describe('check-unused', () => {
  const earlier = { jti: 'j', iat: NOW, presentation: Buffer.alloc(32, 1) };
  it('gives the same allotment to the same presentation and nothing to another', async () => {
    expect(checkUnused(undefined, Buffer.alloc(32, 1))).toBeUndefined();
    expect(checkUnused(earlier, Buffer.alloc(32, 1))).toEqual({ jti: 'j', iat: NOW });
    await expectRefusal(() => checkUnused(earlier, Buffer.alloc(32, 2)), 'SignatureReplay');
  });
});
