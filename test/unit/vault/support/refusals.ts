import { expect } from 'vitest';
import { Refusal } from '../../../../src/contract/errors.js';
import type { RefusalCode } from '../../../../src/contract/errors.js';

/** Asserts that `work` is refused by the vault with this code, and returns the refusal. */
export async function expectRefusal(work: () => unknown, code: RefusalCode): Promise<Refusal> {
  const thrown = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(thrown).toBeInstanceOf(Refusal);
  const refusal = thrown as Refusal;
  expect({ code: refusal.code, layer: refusal.layer }).toEqual({ code, layer: 'vault' });
  return refusal;
}
