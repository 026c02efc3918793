/** What this server asks the vault over HTTP: its published keys, and (with trust at enrolment) an approver's keys. */
import { Pool } from 'undici';
import { Refusal } from '../src/contract/errors.js';
import type { JsonValue } from '../src/contract/json.js';
import { parseStrictJson } from '../src/contract/strict-json.js';
import { approverKeys } from '../src/contract/wire.js';
import type { EnrolledKeys } from './approver-directory.js';

const TIMEOUT_MS = 2000;
const MAX_RESPONSE_BYTES = 262_144;

/** GETs of JSON documents at one fixed origin: no redirects, bounded time and size. */
export class JsonOrigin {
  readonly #pool: Pool;

  constructor(origin: string) {
    this.#pool = new Pool(origin, {
      connections: 4,
      connectTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
  }

  /** @returns the parsed body of a 200, undefined for a 404; rejects for anything else */
  async get(path: string, headers: Record<string, string> = {}): Promise<JsonValue | undefined> {
    const response = await this.#pool.request({ path, method: 'GET', headers });
    const text = await response.body.text();
    if (response.statusCode === 404) return undefined;
    if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode}`);
    return parseStrictJson(text, 'rs');
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** @param assertion makes the client assertion this server authenticates with */
export function enrolledKeysAt(directory: JsonOrigin, assertion: () => string): EnrolledKeys {
  return async (approverId) => {
    try {
      const found = await directory.get(`/v1/approvers/${encodeURIComponent(approverId)}/keys`, {
        authorization: `Bearer ${assertion()}`,
      });
      return found === undefined ? [] : approverKeys.parse(found).keys;
    } catch (error) {
      throw new Refusal('Unavailable', 'rs', { detail: `approver directory: ${String(error)}` });
    }
  };
}
