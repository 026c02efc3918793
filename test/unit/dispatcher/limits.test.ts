import { expect, it } from 'vitest';
import { MAX_NEW_PER_SECOND, NewConsentRate } from '../../../src/dispatcher/limits.js';

it('a caller opens at most five consents in any second; others are unaffected', () => {
  let now = 0;
  const rate = new NewConsentRate(() => now);
  const alice = { subject: 'alice', client_id: 'a', scopes: [] };
  for (let n = 0; n < MAX_NEW_PER_SECOND; n += 1) rate.take(alice);
  expect(() => rate.take(alice)).toThrow(
    expect.objectContaining({ code: 'RateLimited', layer: 'dispatcher' }),
  );
  rate.take({ ...alice, client_id: 'b' });
  rate.take({ ...alice, subject: 'bob' });
  now = 1001;
  rate.take(alice);
  now = 5000;
  rate.sweep();
  rate.take(alice);
});
