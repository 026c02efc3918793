/** What an operator does on this domain's files: trust, list and revoke approver keys, seed example tasks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApproverKey } from '../src/contract/wire.js';
import { approverKey } from '../src/contract/wire.js';
import { TaskStore } from './actions/task-store.js';
import { ApproverDirectory } from './approver-directory.js';
import type { Clock } from './clock.js';
import { firstIssue } from './first-issue.js';
import { loadPublicKey } from './public-key.js';
import type { StoredKey } from './store/approver-store.js';
import type { DomainStores } from './store/domain-stores.js';
import { openDomainStores } from './store/domain-stores.js';

export interface TrustOptions {
  readonly approver: string;
  /** JSON text of a public JWK, or the name of a file that holds one. */
  readonly publicJwk: string;
  readonly credentialId?: string;
  /** By default `webauthn` with a credential id, else the raw scheme of the key's type. */
  readonly scheme?: string;
  readonly label?: string;
}

/** Pins a key. @returns it as pinned; `key_id` is the thumbprint to compare with the approver's own. */
export async function trust(
  dataDir: string,
  clock: Clock,
  options: TrustOptions,
): Promise<ApproverKey> {
  const { approver, publicJwk, credentialId, label } = options;
  const text = publicJwk.trimStart().startsWith('{') ? publicJwk : readFileSync(publicJwk, 'utf8');
  const { keyId, algorithm, jwk } = loadPublicKey(JSON.parse(text));
  const raw = algorithm === 'EdDSA' ? 'eddsa' : 'es256';
  const key = approverKey.safeParse({
    approver_id: approver,
    key_id: keyId,
    scheme: options.scheme ?? (credentialId === undefined ? raw : 'webauthn'),
    public_jwk: jwk,
    ...(credentialId === undefined ? {} : { credential_id: credentialId }),
    label: label ?? 'trusted by operator',
    created_at: Math.floor(clock() / 1000),
  });
  if (!key.success) throw new Error(firstIssue(key.error));
  await withDirectory(dataDir, clock, ({ directory }) => directory.trust(key.data));
  return key.data;
}

/** Every key ever pinned, revoked ones too. */
export function listApprovers(dataDir: string, clock: Clock): Promise<StoredKey[]> {
  return withDirectory(dataDir, clock, ({ stores }) => Promise.resolve(stores.approvers.list()));
}

/** Revokes one key, or every key of an approver. @returns the ids of the keys that were active until now */
export function revoke(
  dataDir: string,
  clock: Clock,
  which: { readonly keyId?: string; readonly approver?: string },
): Promise<string[]> {
  return withDirectory(dataDir, clock, ({ directory, stores }) => {
    const named = stores.approvers
      .list()
      .filter((key) => key.key_id === which.keyId || key.approver_id === which.approver);
    return directory.revoke(named.map((key) => key.key_id));
  });
}

/** Adds example tasks. @returns the ids of the new ones, none if there are tasks already and `ifEmpty` */
export function seedTasks(
  dataDir: string,
  clock: Clock,
  options: { readonly titles: readonly string[]; readonly ifEmpty: boolean },
): string[] {
  const tasks = new TaskStore(join(dataDir, 'tasks.db'), clock);
  try {
    if (options.ifEmpty && tasks.count() > 0) return [];
    return options.titles.map((title) => tasks.create(title, undefined).id);
  } finally {
    tasks.close();
  }
}

interface Opened {
  readonly directory: ApproverDirectory;
  readonly stores: DomainStores;
}

async function withDirectory<T>(
  dataDir: string,
  clock: Clock,
  act: (opened: Opened) => Promise<T>,
): Promise<T> {
  const stores = openDomainStores(dataDir, clock);
  const { approvers: store, commits, record } = stores;
  try {
    const parts = { store, commits, record, clock, enrolled: undefined };
    return await act({ directory: new ApproverDirectory(parts), stores });
  } finally {
    stores.close();
  }
}
