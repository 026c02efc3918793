import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fixture } from './fixture.js';
import type { KeyPair } from './keys.js';
import { keyPair } from './keys.js';

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(() => f.close());

/** The verdict on a call that would fail harmlessly if it ran. */
function verdict(key: KeyPair = f.vault.key) {
  const payload = f.payload({ args: { task_id: 't-99' } });
  const credential = f.vault.mint(f.claims(payload), {}, key);
  return f.verdict(f.request({ payload, body: { credential } }));
}

describe('keys of the issuer', () => {
  it('are fetched once, from the configured address, and cached for five minutes', async () => {
    expect(f.vault.jwksRequests).toBe(0);
    await Promise.all([verdict(), verdict(), verdict()]);
    f.nowMs += 299_999;
    expect(await verdict()).toBe('failure');
    expect(f.vault.seen).toEqual(['GET /.well-known/jwks.json']);
    f.nowMs += 1;
    expect(await verdict()).toBe('failure');
    expect(f.vault.jwksRequests).toBe(2);
  });

  it('rotate: a new kid is fetched at once, the old one works as long as it is published', async () => {
    expect(await verdict()).toBe('failure');
    const next = keyPair();
    f.vault.published = [f.vault.key, next];
    expect(await verdict(next)).toBe('failure');
    expect(await verdict()).toBe('failure');
    expect(f.vault.jwksRequests).toBe(2);
    f.vault.published = [next];
    f.nowMs += 300_000;
    expect(await verdict()).toBe('UnknownIssuer');
    expect(await verdict(next)).toBe('failure');
  });

  it('twice within the cool-down, because a fetch that helped starts none', async () => {
    expect(await verdict()).toBe('failure');
    for (const next of [keyPair(), keyPair(), keyPair()]) {
      f.vault.published = [next];
      expect(await verdict(next)).toBe('failure');
    }
  });

  it('unknown kids cause one fetch in five seconds', async () => {
    expect(await verdict()).toBe('failure');
    for (let i = 0; i < 10; i++) expect(await verdict(keyPair())).toBe('UnknownIssuer');
    expect(f.vault.jwksRequests).toBe(2);
    f.nowMs += 4999;
    expect(await verdict(keyPair())).toBe('UnknownIssuer');
    expect(f.vault.jwksRequests).toBe(2);
    f.nowMs += 1;
    expect(await verdict(keyPair())).toBe('UnknownIssuer');
    expect(f.vault.jwksRequests).toBe(3);
  });

  it('of another type, without a kid, or private are left out; the rest still serve', async () => {
    const listed = [
      { kty: 'oct', k: 'AAAA', kid: 'secret' },
      { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'short' },
      f.vault.key.jwk,
      { ...f.vault.key.privateKey.export({ format: 'jwk' }), kid: f.vault.key.keyId },
    ];
    f.vault.published = listed.map((jwk) => ({ ...f.vault.key, jwk, keyId: kidOf(jwk) }));
    expect(await verdict()).toBe('UnknownIssuer');
  });
});

describe('a vault that is away', () => {
  it('is Unavailable for a kid nobody knows, and nothing is used up', async () => {
    f.vault.broken = true;
    const call = f.request({ payload: f.payload({ args: { task_id: 't-99' } }) });
    expect(await f.verdict(call)).toBe('Unavailable');
    f.vault.broken = false;
    expect(await f.verdict(call)).toBe('Unavailable'); // within the second after a failed fetch
    f.nowMs += 1000;
    expect(await f.verdict(call)).toBe('failure');
  });

  it('does not stop credentials of known keys for an hour', async () => {
    expect(await verdict()).toBe('failure');
    await f.vault.close();
    f.nowMs += 3_599_999;
    expect(await verdict()).toBe('failure');
    expect(await verdict(keyPair())).toBe('Unavailable');
    f.nowMs += 1;
    expect(await verdict()).toBe('Unavailable');
  });

  it.each(['not json', '{"keys":{}}', '{"keys":[],"keys":[]}'])(
    'a document that is no key set counts as away: %s',
    async (text) => {
      f.vault.document = text;
      expect(await verdict()).toBe('Unavailable');
    },
  );
});

function kidOf(jwk: object): string {
  return 'kid' in jwk ? String(jwk.kid) : '';
}
