import type { CeremonyParts } from './ceremony-parts.js';
import type { Clock } from './clock.js';
import { Clients } from './clients.js';
import type { VaultConfig } from './config.js';
import { Enrolment } from './enrolment.js';
import type { Log } from './http/problems.js';
import { KeySignIn } from './key-sign-in.js';
import type { MintRules } from './mint.js';
import type { Random } from './random.js';
import { SignIn } from './sign-in.js';
import { DEFAULT_OVERLAP } from './store/mint-keys.js';
import type { VaultStore } from './store/vault-store.js';

/** Everything a running vault consists of, put together. */
export type VaultService = ReturnType<typeof createVaultService>;

/** Puts a vault together, with a mint key if there is none yet. The caller owns the store. */
export function createVaultService(
  config: VaultConfig,
  store: VaultStore,
  { clock, random, log }: { clock: Clock; random: Random; log: Log },
) {
  store.mintKeys.ensure(config.credential_alg, DEFAULT_OVERLAP);
  const { rp_id: rpId, rp_name: rpName, origins } = config.webauthn;
  const webauthn = { rpId, rpName, origins };
  const rules: MintRules = {
    tier: 2,
    rarTypes: config.rar_types,
    audiences: config.audiences,
    maxTtlSeconds: config.max_ttl_seconds,
    webauthn,
    approvers: store.approverKeys,
    clock,
  };
  const ceremony: CeremonyParts = { store, webauthn, clock, random };
  return {
    issuer: config.issuer,
    rules,
    policy: config.policy,
    clients: new Clients(config.clients, config.issuer, clock),
    enrolment: new Enrolment(ceremony),
    signIn: new SignIn(ceremony),
    keySignIn: new KeySignIn(ceremony),
    keys: store.mintKeys,
    signatures: store.signatures,
    spentCredentials: store.spentCredentials,
    ...{ config, store, clock, random, log },
  };
}
