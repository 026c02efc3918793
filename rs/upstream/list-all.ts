/** Every page of a list, within bounds: an upstream that never stops turning pages is stopped. */
import type { JsonObject } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { Connection } from './connection.js';
import { UpstreamFailure } from './upstream-failure.js';

const MAX_PAGES = 100;
const MAX_ITEMS = 5000;
const MAX_CHARACTERS = 8_388_608;

/** One list of an upstream: the method that turns its pages and the member that holds its items. */
export interface ListMethod {
  readonly method: string;
  readonly member: string;
}

/**
 * The items are not checked: each is, where it is used.
 * @throws UpstreamFailure also when the list has more than 100 pages, 5000 items or 8 Mi characters
 */
export async function listAll(
  connection: Connection,
  { method, member }: ListMethod,
  timeoutMs: number,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let characters = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await connection.request({
      method,
      params,
      timeoutMs,
      maxMs: timeoutMs,
      partwise: true,
    });
    const found = answer[member];
    if (!Array.isArray(found))
      throw new UpstreamFailure('answered', `${method} answered without ${member}`);
    items.push(...found.filter(isJsonObject));
    characters += JSON.stringify(found).length;
    if (items.length > MAX_ITEMS || characters > MAX_CHARACTERS) break;
    const next = answer['nextCursor'];
    if (typeof next !== 'string') return items;
    cursor = next;
  }
  throw new UpstreamFailure('answered', `${method} has too many pages or items`);
}
