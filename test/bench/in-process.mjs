/** Both domains' own objects composed in one process, each on its own SQLite file, with no HTTP in between. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { TaskActions } from '../../dist/rs/actions/task-actions.js';
import { TaskStore } from '../../dist/rs/actions/task-store.js';
import { ApproverDirectory } from '../../dist/rs/approver-directory.js';
import { readConfig } from '../../dist/rs/config.js';
import { execute } from '../../dist/rs/execute.js';
import { JwksIssuerKeys } from '../../dist/rs/issuer-keys.js';
import { openDomainStores } from '../../dist/rs/store/domain-stores.js';
import { deepFreeze } from '../../dist/src/contract/json.js';
import { loadConfig } from '../../dist/vault/config.js';
import { OAuthVault } from '../../dist/vault/oauth.js';
import { createVaultService } from '../../dist/vault/service.js';
import { openVaultStore } from '../../dist/vault/store/vault-store.js';
import { CALLER, clock } from './world.mjs';

/** @returns `run(signed)`, which mints and executes, the two halves of it, and `close`. */
export async function openInProcess({ dirs }) {
  const vault = openVault(dirs.vault);
  const rs = openResourceServer(dirs.rs, () =>
    Promise.resolve({
      keys: vault.keys.published().map(({ jwk, keyId }) => ({ ...jwk, kid: keyId })),
    }),
  );
  const mint = async (signed) => (await vault.forCall(signed.payload).mint(signed)).credential;
  const executeOne = async (signed, credential) => {
    const { cmd: command, args } = signed.payload;
    const request = { command, args: deepFreeze(args), caller: CALLER, credential, signed };
    const outcome = await execute(request, 'bridge', rs.server);
    if (outcome.jti === undefined) throw new Error('not executed as gated');
    return outcome;
  };
  return {
    mint,
    execute: executeOne,
    run: async (signed) => executeOne(signed, await mint(signed)),
    sweep: () => Promise.all([vault.sweep(), rs.sweep()]),
    close: () => {
      vault.close();
      rs.close();
    },
  };
}

function openVault(directory) {
  const store = openVaultStore(directory, clock);
  const log = (line) => process.stderr.write(`${line}\n`);
  const service = createVaultService(loadConfig(directory), store, {
    clock,
    random: randomBytes,
    log,
  });
  const request = { clientId: 'bridge', mayActFor: () => true, subject: CALLER.subject };
  return {
    keys: service.keys,
    forCall: ({ aud: resource, nonce: mintId }) =>
      new OAuthVault(service, { ...request, resource, mintId }),
    sweep: store.sweep,
    close: store.close,
  };
}

function openResourceServer(directory, fetchJwks) {
  const config = readConfig(directory);
  const stores = openDomainStores(directory, clock);
  const tasks = new TaskStore(join(directory, 'tasks.db'), clock);
  if (tasks.count() === 0) tasks.create('Write the release notes', 'Ask who changed what.');
  const server = {
    resource: config.resource,
    issuer: {
      identifier: config.issuer,
      algorithms: config.credential_algs,
      keys: new JwksIssuerKeys(fetchJwks, clock),
    },
    rarTypes: config.rar_types,
    ceremony: { rpId: config.webauthn.rp_id, origins: config.webauthn.origins },
    commands: config.commands,
    policy: config.policy,
    approvers: new ApproverDirectory({
      store: stores.approvers,
      commits: stores.commits,
      record: stores.record,
      clock,
      enrolled: undefined,
    }),
    executions: stores.executions,
    actions: new TaskActions(tasks),
    clock,
  };
  return {
    server,
    sweep: () => stores.executions.sweep(),
    close: () => {
      tasks.close();
      stores.close();
    },
  };
}
