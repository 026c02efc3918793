/** The vault as a program: `serve`, and the operator's commands on its data directory. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { Refusal } from '../src/contract/errors.js';
import { jsonObject } from '../src/contract/payload.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { loadConfig } from './config.js';
import { addKey } from './operator/add-key.js';
import { invite } from './operator/invite.js';
import { listKeys } from './operator/list-keys.js';
import type { Operator } from './operator/operator.js';
import { revokeKeys } from './operator/revoke-key.js';
import { DEFAULT_OVERLAP } from './store/mint-keys.js';
import { openVaultStore } from './store/vault-store.js';

interface Common {
  readonly data: string;
  readonly json?: true;
}

const clock = Date.now;
const random = randomBytes;
const print = (text: string) => process.stdout.write(`${text}\n`);
const log = (line: string) => process.stderr.write(`${line}\n`);

const program = new Command('vault').description(
  'Verifies what a human signed and mints single-use credentials.',
);

/** A subcommand with the options all have. */
function command(name: string, description: string, example: string): Command {
  return program
    .command(name)
    .description(description)
    .requiredOption('--data <dir>', 'the data directory of the vault')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  node dist/vault/main.js ${name} --data ./data/vault ${example}`,
    );
}

/** Opens the store for one command and prints what came of it: JSON, or one line for people. */
async function operate<T>(
  { data, json }: Common,
  work: (operator: Operator) => T | Promise<T>,
  line: (result: T) => string,
): Promise<void> {
  const store = openVaultStore(data, clock);
  try {
    const result = await work({ store, clock, random });
    print(json === true ? JSON.stringify(result) : line(result));
  } finally {
    store.close();
  }
}

function seconds(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be whole seconds');
}

function isoTime(posixSeconds: number): string {
  return new Date(posixSeconds * 1000).toISOString();
}

command('serve', 'run the vault', '').action(async ({ data }: Common) => {
  // Loaded here, because the operator's commands need neither HTTP nor WebAuthn and are to be quick.
  const { startVault } = await import('./serve.js');
  const { url, stop } = await startVault(data, { clock, random, log });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void stop().then(() => process.exit(0), fail));
  }
  print(JSON.stringify({ ready: 'vault', url }));
});

command('invite', 'invite an approver to enrol a passkey', '--approver alice@example.com')
  .requiredOption('--approver <id>', 'who is invited')
  .option('--ttl <seconds>', 'how long the invitation is good', seconds, 900)
  .action((options: Common & { approver: string; ttl: number }) =>
    operate(
      options,
      (operator) => invite(operator, options.approver, options.ttl),
      (made) =>
        `${made.invite}  (for ${made.approver_id}, once, until ${isoTime(made.expires_at)})`,
    ),
  );

command('add-key', 'enrol a raw public key', '--approver bob@example.com --public-jwk bob.jwk')
  .requiredOption('--approver <id>', 'whose key it is')
  .requiredOption('--public-jwk <file or JSON>', 'an EC P-256 or Ed25519 public JWK')
  .option('--label <text>', 'a name for the key', 'terminal key')
  .action((options: Common & { approver: string; publicJwk: string; label: string }) => {
    const text = existsSync(options.publicJwk)
      ? readFileSync(options.publicJwk, 'utf8')
      : options.publicJwk;
    const jwk = jsonObject.parse(parseStrictJson(text, 'vault'));
    return operate(
      options,
      (operator) => addKey(operator, options.approver, jwk, options.label),
      ({ approver_id, scheme, key_id }) => `${approver_id}  ${scheme}  ${key_id}`,
    );
  });

command('list-keys', 'list approver keys', '')
  .option('--approver <id>', 'only this approver')
  .action((options: Common & { approver?: string }) =>
    operate(
      options,
      (operator) => listKeys(operator, options.approver),
      (keys) =>
        keys
          .map(({ approver_id, scheme, key_id, label, revoked_at }) =>
            [approver_id, scheme, key_id, label, revoked_at === null ? '' : 'revoked'].join('  '),
          )
          .join('\n'),
    ),
  );

command('revoke-key', 'revoke approver keys', '--key-id "$KEY_ID"')
  .option('--key-id <id>', 'this key')
  .option('--approver <id>', 'all keys of this approver')
  .action((options: Common & { keyId?: string; approver?: string }) => {
    const { keyId, approver: approverId } = options;
    return operate(
      options,
      (operator) => {
        if (keyId !== undefined && approverId === undefined) return revokeKeys(operator, { keyId });
        if (approverId !== undefined && keyId === undefined)
          return revokeKeys(operator, { approverId });
        throw new Error('name either --key-id or --approver');
      },
      ({ revoked }) => `revoked: ${revoked.join(' ')}`,
    );
  });

command('rotate-key', 'sign with a new mint key from now on', '')
  .option('--overlap <seconds>', 'how long the old key stays published', seconds, DEFAULT_OVERLAP)
  .action((options: Common & { overlap: number }) =>
    operate(
      options,
      ({ store }) => {
        const { credential_alg } = loadConfig(options.data);
        return { key_id: store.mintKeys.rotate(credential_alg, options.overlap) };
      },
      ({ key_id }) => `signing with ${key_id}`,
    ),
  );

command('record', 'print the record', '--json --after 0')
  .option('--after <seq>', 'only entries after this one', seconds, 0)
  .action(({ data, json, after }: Common & { after: number }) => {
    const store = openVaultStore(data, clock);
    for (const { seq, at_ms, domain, event, ...facts } of store.record.after(after)) {
      if (json === true) print(JSON.stringify({ seq, at_ms, domain, event, ...facts }));
      else print(`${seq}  ${new Date(at_ms).toISOString()}  ${event}  ${JSON.stringify(facts)}`);
    }
    store.close();
  });

function fail(error: unknown): void {
  const reason = error instanceof Refusal ? error.detail : undefined;
  log(`vault: ${reason ?? (error instanceof Error ? error.message : String(error))}`);
  process.exit(1);
}

await program.parseAsync().catch(fail);
