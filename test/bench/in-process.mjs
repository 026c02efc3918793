/** Both domains' own objects composed in one process, each on its own SQLite file, with no HTTP in between. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { TaskActions } from '../../dist/rs/actions/task-actions.js';
import { TaskStore } from '../../dist/rs/actions/task-store.js';
import { readConfig } from '../../dist/rs/config.js';
import { execute } from '../../dist/rs/execute.js';
import { JwksIssuerKeys } from '../../dist/rs/issuer-keys.js';
import { newJti } from '../../dist/rs/new-jti.js';
import { openResourceServer } from '../../dist/rs/open-resource-server.js';
import { NOBODY } from '../../dist/rs/upstream/connection-peer.js';
import { deepFreeze } from '../../dist/src/contract/json.js';
import { loadConfig } from '../../dist/vault/config.js';
import { OAuthVault } from '../../dist/vault/oauth.js';
import { createVaultService } from '../../dist/vault/service.js';
import { openVaultStore } from '../../dist/vault/store/vault-store.js';
import { CALLER, clock } from './world.mjs';

/** @returns `run(signed)`, which mints and executes, the two halves of it, and `close`. */
export async function openInProcess({ dirs }) {
  const vault = openVault(dirs.vault);
  const rs = await openRs(dirs.rs, () =>
    Promise.resolve({
      keys: vault.keys.published().map(({ jwk, keyId }) => ({ ...jwk, kid: keyId })),
    }),
  );
  const mint = async (signed) => (await vault.forCall(signed.payload).mint(signed)).credential;
  const executeOne = async (signed, credential) => {
    const { cmd: command, args } = signed.payload;
    const request = { command, args: deepFreeze(args), caller: CALLER, credential, signed };
    const outcome = await execute(request, { service: 'bridge', peer: NOBODY }, rs.server);
    if (outcome.jti === undefined) throw new Error('not executed as gated');
    return outcome;
  };
  return {
    mint,
    execute: executeOne,
    run: async (signed) => executeOne(signed, await mint(signed)),
    sweep: () => Promise.all([vault.sweep(), rs.sweep()]),
    close: async () => {
      vault.close();
      await rs.close();
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

/** As the process composes it, but for the vault's keys, which are at hand. */
async function openRs(dataDir, fetchJwks) {
  const tasks = new TaskStore(join(dataDir, 'tasks.db'), clock);
  if (tasks.count() === 0) tasks.create('Write the release notes', 'Ask who changed what.');
  const place = { dataDir, clock, newJti: () => newJti(clock()), reportError: console.error };
  const opened = await openResourceServer(readConfig(dataDir), place, () => new TaskActions(tasks));
  const { rs } = opened;
  const issuer = { ...rs.issuer, keys: new JwksIssuerKeys(fetchJwks, clock) };
  return {
    server: { ...rs, issuer },
    sweep: () => rs.executions.sweep(),
    close: async () => {
      await opened.close();
      tasks.close();
    },
  };
}
