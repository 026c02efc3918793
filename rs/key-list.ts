import type { ApproverKey } from '../src/contract/wire.js';
import type { PinnedKey } from './pinned-key.js';
import { SCHEME_ALGORITHMS } from './pinned-key.js';
import { loadPublicKey } from './public-key.js';

/** Approver keys from a list that somebody else keeps. */
export class KeyList {
  constructor(
    private readonly keys: readonly ApproverKey[] | (() => Promise<readonly ApproverKey[]>),
  ) {}

  /** @throws Error when the key in the list is not one that can be used: a wrong thumbprint, or a scheme it does not fit */
  async find(approverId: string, keyId: string): Promise<PinnedKey | undefined> {
    const keys = typeof this.keys === 'function' ? await this.keys() : this.keys;
    const found = keys.find((key) => key.approver_id === approverId && key.key_id === keyId);
    if (found === undefined) return undefined;
    const loaded = loadPublicKey(found.public_jwk);
    if (loaded.keyId !== keyId) throw new Error(`${keyId} is not the thumbprint of its key`);
    if (!SCHEME_ALGORITHMS[found.scheme].includes(loaded.algorithm))
      throw new Error(`a key of scheme ${found.scheme} cannot be ${loaded.algorithm}`);
    return { ...loaded, scheme: found.scheme, credentialId: found.credential_id };
  }
}
