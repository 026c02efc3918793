/** What was noted before the clock was set back must not hold until it is there again. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { ClientAssertion as PageAssertion } from '../../consent-ui/server/client-assertion.js';
import { clientAssertion as rsAssertion } from '../../rs/client-assertion.js';
import { JwksIssuerKeys } from '../../rs/issuer-keys.js';
import { ClientAssertion as BridgeAssertion } from '../../src/clients/client-assertion.js';
import { Catalogue } from '../../src/dispatcher/catalogue.js';
import { MAX_NEW_PER_SECOND, NewConsentRate } from '../../src/dispatcher/limits.js';
import { ExpiringMap } from '../../vault/expiring-map.js';

const HOUR_MS = 3_600_000;
const START_MS = 1_800_000_000_000;

function settableClock(): { clock: () => number; setBack: (ms: number) => void } {
  let now = START_MS;
  return { clock: () => now, setBack: (ms) => void (now -= ms) };
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const client = { clientId: 'x', audience: 'https://y' };

describe.each([
  [
    'bridge',
    async (clock: () => number) => {
      const privateJwk = privateKey.export({ format: 'jwk' });
      const assertion = await BridgeAssertion.create({ ...client, privateJwk, clock });
      return () => assertion.get();
    },
  ],
  [
    'consent-ui',
    async (clock: () => number) => {
      const random = (size: number): Buffer => Buffer.alloc(size);
      const assertion = new PageAssertion({ ...client, key: privateKey, clock, random });
      return Promise.resolve(() => assertion.get());
    },
  ],
  [
    'rs',
    async (clock: () => number) => {
      const get = rsAssertion({ ...client, privateKey, clock, newJti: () => 'j' });
      return Promise.resolve(() => Promise.resolve(get()));
    },
  ],
])('the client assertion of the %s', (_, open) => {
  it('is made anew, because nobody takes one from the future', async () => {
    const { clock, setBack } = settableClock();
    const get = await open(clock);
    const first = await get();
    expect(await get()).toBe(first);
    setBack(HOUR_MS);
    expect(decodeJwt(await get()).iat).toBe((START_MS - HOUR_MS) / 1000);
  });
});

it('the issuer’s keys are fetched again, also an unknown one', async () => {
  const { clock, setBack } = settableClock();
  const jwk = (kid: string) => ({ ...createPublicKey(privateKey).export({ format: 'jwk' }), kid });
  let published = [jwk('old')];
  const keys = new JwksIssuerKeys(() => Promise.resolve({ keys: published }), clock);
  await keys.find('old');
  expect(await keys.find('new')).toBeUndefined();
  published = [jwk('new')];
  setBack(HOUR_MS);
  expect(await keys.find('new')).toBeDefined();
  expect(await keys.find('old')).toBeUndefined();
});

it('the tools are asked for again', async () => {
  const { clock, setBack } = settableClock();
  let asked = 0;
  const nothing = { tools: [], resources: [], resource_templates: [], prompts: [], upstreams: [] };
  const surface = () => Promise.resolve({ ...nothing, revision: (asked += 1) });
  const catalogue = new Catalogue(
    { surface },
    { policy: {}, allowlist: [], gateWired: true },
    clock,
  );
  await catalogue.list();
  await catalogue.list();
  expect(asked).toBe(1);
  setBack(HOUR_MS);
  await catalogue.list();
  expect(asked).toBe(2);
});

it('a caller who was over the limit is not for an hour', () => {
  const { clock, setBack } = settableClock();
  const rate = new NewConsentRate(clock);
  const caller = { subject: 'alice', client_id: 'a', scopes: [] };
  for (let n = 0; n < MAX_NEW_PER_SECOND; n += 1) rate.take(caller);
  setBack(HOUR_MS);
  rate.take(caller);
});

it('a map says how far it has forgotten, and goes on forgetting', () => {
  const { clock, setBack } = settableClock();
  const map = new ExpiringMap<number>(clock, 60);
  map.set('a', START_MS / 1000 + 10, 1);
  expect(map.forgottenBefore).toBe(START_MS / 1000 - 60);
  setBack(HOUR_MS);
  map.set('b', START_MS / 1000 - 3600 + 10, 2);
  expect(map.forgottenBefore).toBe(START_MS / 1000 - 60);
  expect(map.get('a')).toBe(1);
});
