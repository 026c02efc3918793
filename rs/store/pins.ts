/** The tool definitions an operator accepted, by being there when each was first seen or by command afterwards. */
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { Clock } from '../clock.js';
import type { GroupCommit } from './group-commit.js';
import type { Store } from './open-store.js';
import type { RecordLog } from './record.js';

/** `seen_*` holds what the upstream says now, if that is something else. */
export const PINS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pins (
    upstream TEXT NOT NULL,
    tool TEXT NOT NULL,
    digest TEXT NOT NULL,
    definition TEXT NOT NULL,
    accepted_at INTEGER NOT NULL,
    seen_digest TEXT,
    seen_definition TEXT,
    PRIMARY KEY (upstream, tool)
  ) WITHOUT ROWID;
`;

export interface Definition {
  /** Base64url SHA-256 of its RFC 8785 text. */
  readonly digest: string;
  readonly definition: JsonObject;
}

export interface Pin {
  readonly upstream: string;
  /** The upstream's own name of it. */
  readonly tool: string;
  readonly accepted: Definition;
  /** POSIX seconds. */
  readonly acceptedAt: number;
  /** What the upstream says it is now. While this is there, calls are refused. */
  readonly changed: Definition | undefined;
}

/** A definition as an upstream lists it. */
export interface SeenTool extends Definition {
  readonly tool: string;
}

interface Row {
  readonly upstream: string;
  readonly tool: string;
  readonly digest: string;
  readonly definition: string;
  readonly accepted_at: number;
  readonly seen_digest: string | null;
  readonly seen_definition: string | null;
}

export class Pins {
  readonly #get;
  readonly #of;
  readonly #all;
  readonly #insert;
  readonly #see;
  readonly #accept;
  readonly #version;

  constructor(
    store: Store,
    private readonly commits: GroupCommit,
    private readonly record: RecordLog,
    private readonly clock: Clock,
  ) {
    this.#get = store.prepare<[string, string], Row>(
      'SELECT * FROM pins WHERE upstream = ? AND tool = ?',
    );
    this.#of = store.prepare<[string], Row>('SELECT * FROM pins WHERE upstream = ? ORDER BY tool');
    this.#all = store.prepare<[], Row>('SELECT * FROM pins ORDER BY upstream, tool');
    this.#insert = store.prepare<[string, string, string, string, number]>(
      'INSERT INTO pins VALUES (?, ?, ?, ?, ?, NULL, NULL)',
    );
    this.#see = store.prepare<[string | null, string | null, string, string]>(
      'UPDATE pins SET seen_digest = ?, seen_definition = ? WHERE upstream = ? AND tool = ?',
    );
    this.#accept = store.prepare<[number, string, string, string]>(
      `UPDATE pins SET digest = seen_digest, definition = seen_definition, accepted_at = ?,
         seen_digest = NULL, seen_definition = NULL
       WHERE upstream = ? AND tool = ? AND seen_digest = ?`,
    );
    this.#version = store.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /** As it is on disk now: another process may have accepted a change a moment ago. */
  get(upstream: string, tool: string): Pin | undefined {
    const row = this.#get.get(upstream, tool);
    return row && pinOf(row);
  }

  of(upstream: string): Pin[] {
    return this.#of.all(upstream).map(pinOf);
  }

  all(): Pin[] {
    return this.#all.all().map(pinOf);
  }

  /** A number that differs once another process has written. */
  get version(): number {
    return this.#version.get() ?? 0;
  }

  /** Pins what is new and marks what is not as it was accepted. Resolves once that is on disk. */
  see(upstream: string, tools: readonly SeenTool[]): Promise<void> {
    return this.commits.run(() => {
      for (const tool of tools) this.#seeOne(upstream, tool);
    });
  }

  /**
   * Accepts these changes, each as it was read: what the upstream has changed once more stays refused.
   * @returns the pins whose change is accepted now
   */
  accept(pins: readonly Pin[]): Promise<Pin[]> {
    return this.commits.run(() =>
      pins.filter(({ upstream, tool, accepted, changed }) => {
        const { digest } = changed ?? accepted;
        if (this.#accept.run(this.#seconds(), upstream, tool, digest).changes === 0) return false;
        this.#append('tool.accepted', { upstream, tool, digest, before: accepted.digest });
        return true;
      }),
    );
  }

  /** A definition that is not used at all. */
  leaveOut(upstream: string, tool: string, reason: string): Promise<void> {
    return this.commits.run(() => this.#append('tool.left-out', { upstream, tool, reason }));
  }

  #seeOne(upstream: string, { tool, digest, definition }: SeenTool): void {
    const row = this.#get.get(upstream, tool);
    const text = JSON.stringify(definition);
    if (row === undefined) {
      this.#insert.run(upstream, tool, digest, text, this.#seconds());
      this.#append('tool.pinned', { upstream, tool, digest });
    } else if (row.digest === digest) {
      if (row.seen_digest === null) return;
      this.#see.run(null, null, upstream, tool);
      this.#append('tool.restored', { upstream, tool, digest });
    } else if (row.seen_digest !== digest) {
      this.#see.run(digest, text, upstream, tool);
      this.#append('tool.changed', { upstream, tool, digest, accepted: row.digest });
    }
  }

  #append(event: string, data: JsonObject): void {
    this.record.append(this.clock(), event, data);
  }

  #seconds(): number {
    return Math.floor(this.clock() / 1000);
  }
}

function pinOf(row: Row): Pin {
  const { upstream, tool, seen_digest, seen_definition } = row;
  const changed =
    seen_digest === null || seen_definition === null
      ? undefined
      : { digest: seen_digest, definition: objectOf(seen_definition) };
  const accepted = { digest: row.digest, definition: objectOf(row.definition) };
  return { upstream, tool, accepted, acceptedAt: row.accepted_at, changed };
}

function objectOf(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
