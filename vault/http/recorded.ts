import { Refusal } from '../../src/contract/errors.js';
import type { JsonObject } from '../../src/contract/json.js';
import type { RecordEvent } from '../store/record.js';
import type { VaultStore } from '../store/vault-store.js';

/** Does the work; if it is refused, that goes to the record, durably, before the refusal goes on. */
export async function recordingRefusals<T>(
  { commits, record }: Pick<VaultStore, 'commits' | 'record'>,
  event: Extract<RecordEvent, `${string}.refused`>,
  facts: JsonObject,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) {
      const { code, layer, path = null, detail = null } = error;
      await commits.run(() => {
        record.append(event, { code, layer, path, detail, ...facts });
      });
    }
    throw error;
  }
}
