import { beforeEach, describe, expect, it } from 'vitest';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';
import { IssuerKeys } from '../../../src/oauth/issuer-keys.js';

const MINUTE = 60_000;
let now: number;
let published: object[];
let away: boolean;
let fetches: number;
let keys: IssuerKeys;

const key = (kid: string): object => ({ ...publicJwk(generateJwk('ES256')), kid });
const kids = async (asked?: string): Promise<string> => {
  try {
    return [...(await keys.keysFor(asked)).kids].join(' ');
  } catch (error) {
    return (error as { code: string }).code;
  }
};

beforeEach(() => {
  now = 1_800_000_000_000;
  published = [key('a')];
  away = false;
  fetches = 0;
  const fetchJwks = (): Promise<unknown> => {
    fetches += 1;
    return away ? Promise.reject(new Error('away')) : Promise.resolve({ keys: published });
  };
  keys = new IssuerKeys(fetchJwks, () => now);
});

describe('the keys of an issuer', () => {
  it('are fetched once for all who need them', async () => {
    await Promise.all([kids('a'), kids('a'), kids()]);
    expect(fetches).toBe(1);
  });

  it('die within five minutes of leaving the set', async () => {
    await kids('a');
    published = [key('b')];
    now += 5 * MINUTE;
    expect(await kids('a')).toBe('b');
  });

  it('are renewed beside their use before that', async () => {
    await kids('a');
    published = [key('b')];
    now += 4 * MINUTE;
    expect(await kids('a')).toBe('a');
    expect(fetches).toBe(2);
    expect(await kids('b')).toBe('b');
    expect(fetches).toBe(2);
  });

  it('are asked for once in 30 s because of unknown ids, however many', async () => {
    await kids('a');
    for (let n = 0; n < 50; n += 1) await kids(`x${n}`);
    expect(fetches).toBe(2);
    published = [key('b')];
    now += 29_999;
    expect(await kids('b')).toBe('a');
    now += 1;
    expect(await kids('b')).toBe('b');
    expect(fetches).toBe(3);
  });

  it('serve for 15 minutes while the issuer is away, and then no more', async () => {
    await kids('a');
    away = true;
    now += 15 * MINUTE - 1;
    expect(await kids('a')).toBe('a');
    now += 1;
    expect(await kids('a')).toBe('Unavailable');
    away = false;
    now += 1000;
    expect(await kids('a')).toBe('a');
  });

  it('are not asked for again within a second of a failure', async () => {
    away = true;
    expect(await kids('a')).toBe('Unavailable');
    expect(await kids('a')).toBe('Unavailable');
    expect(fetches).toBe(1);
  });

  it('are of unknown age once the clock was set back', async () => {
    await kids('a');
    published = [key('b')];
    now -= MINUTE;
    expect(await kids('a')).toBe('b');
  });

  it.each([{}, { keys: 1 }, { keys: [{ kid: 'a' }] }, [], 'keys', null])(
    'are no keys when the document is none: %j',
    async (document) => {
      const broken = new IssuerKeys(
        () => Promise.resolve(document),
        () => now,
      );
      await expect(broken.keysFor('a')).rejects.toMatchObject({ code: 'Unavailable' });
    },
  );

  it('hold no secret', async () => {
    published = [{ kty: 'oct', k: 'AAAA', kid: 's' }, key('a')];
    const set = await keys.keysFor('a');
    expect([...set.kids]).toEqual(['a']);
    expect(set.size).toBe(1);
  });
});
