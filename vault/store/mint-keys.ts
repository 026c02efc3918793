import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import type { JsonObject } from '../../src/contract/json.js';
import { jsonObject } from '../../src/contract/payload.js';
import { BoundedMap } from '../bounded-map.js';
import type { Clock } from '../clock.js';
import { posixSecondsOf } from '../clock.js';
import type { JwsAlgorithm, SigningKey } from '../jws.js';
import type { PublicKey } from '../public-key.js';
import { importPublicJwk, publicKeyOf } from '../public-key.js';
import type { VaultRecord } from './record.js';

/** How long a retired key stays published unless the operator says otherwise, in seconds. */
export const DEFAULT_OVERLAP = 3600;

/** Imported public keys kept in memory: more than overlap. */
const CACHED = 16;

interface Row {
  readonly key_id: string;
  readonly alg: JwsAlgorithm;
  readonly public_jwk: string;
  readonly private_jwk: string | null;
  readonly created_at: number;
  readonly publish_until: number | null;
}

/**
 * The vault's signing keys: one active, and the public halves of retired ones for as long as they overlap. The active
 * row is read at every mint (a few microseconds), so that a rotation by the operator's process holds at once, and
 * imported only when it is another than last time.
 */
export class MintKeys {
  #signing: SigningKey | undefined;
  readonly #imported = new BoundedMap<PublicKey>(CACHED);
  readonly #active: Statement<[], Row>;
  readonly #published: Statement<[number], Row>;
  readonly #insert: Statement<[string, JwsAlgorithm, string, string, number]>;
  readonly #retire: Statement<[number]>;
  readonly #sweep: Statement<[number]>;

  constructor(
    private readonly db: Database,
    private readonly record: VaultRecord,
    private readonly clock: Clock,
  ) {
    this.#active = db.prepare('SELECT * FROM mint_key WHERE publish_until IS NULL');
    this.#published = db.prepare(
      'SELECT * FROM mint_key WHERE publish_until IS NULL OR publish_until > ? ORDER BY publish_until IS NOT NULL, created_at DESC',
    );
    this.#insert = db.prepare('INSERT INTO mint_key VALUES (?, ?, ?, ?, ?, NULL)');
    // A retired key signs nothing more, so its private half is not kept.
    this.#retire = db.prepare(
      'UPDATE mint_key SET publish_until = ?, private_jwk = NULL WHERE publish_until IS NULL',
    );
    this.#sweep = db.prepare('DELETE FROM mint_key WHERE publish_until <= ?');
  }

  /** The key that signs now. @throws Error if there is none yet, which {@link ensure} makes impossible. */
  active(): SigningKey {
    const row = this.#active.get();
    if (row?.private_jwk == null) throw new Error('the vault has no active mint key');
    if (this.#signing?.keyId !== row.key_id) {
      const key = createPrivateKey({ key: { ...readJwk(row.private_jwk) }, format: 'jwk' });
      this.#signing = { keyId: row.key_id, alg: row.alg, key };
    }
    return this.#signing;
  }

  /** Public keys whose signatures count, the active one first. */
  published(): PublicKey[] {
    return this.#published.all(posixSecondsOf(this.clock)).map((row) => this.#import(row));
  }

  /** Makes the first key, or one of the configured algorithm if that was changed (then with `overlapSeconds`). */
  ensure(alg: JwsAlgorithm, overlapSeconds: number): void {
    this.db
      .transaction(() => {
        const row = this.#active.get();
        if (row === undefined) this.record.append('mint-key.created', { key_id: this.#make(alg) });
        else if (row.alg !== alg) this.#replace(alg, overlapSeconds);
      })
      .immediate();
  }

  /** A new key signs from now on; the old one stays published for the overlap. Returns the new key's id. */
  rotate(alg: JwsAlgorithm, overlapSeconds: number): string {
    return this.db.transaction(() => this.#replace(alg, overlapSeconds)).immediate();
  }

  sweep(): void {
    this.#sweep.run(posixSecondsOf(this.clock));
  }

  #import({ key_id, public_jwk }: Row): PublicKey {
    const imported = this.#imported.get(key_id) ?? importPublicJwk(readJwk(public_jwk));
    this.#imported.set(key_id, imported);
    return imported;
  }

  #replace(alg: JwsAlgorithm, overlapSeconds: number): string {
    const until = posixSecondsOf(this.clock) + overlapSeconds;
    this.#retire.run(until);
    const keyId = this.#make(alg);
    this.record.append('mint-key.rotated', { key_id: keyId, old_key_published_until: until });
    return keyId;
  }

  #make(alg: JwsAlgorithm): string {
    const { privateKey } =
      alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
    const { keyId, jwk } = publicKeyOf(createPublicKey(privateKey));
    const secret = JSON.stringify(privateKey.export({ format: 'jwk' }));
    this.#insert.run(keyId, alg, JSON.stringify(jwk), secret, posixSecondsOf(this.clock));
    return keyId;
  }
}

function readJwk(text: string): JsonObject {
  return jsonObject.parse(JSON.parse(text));
}
