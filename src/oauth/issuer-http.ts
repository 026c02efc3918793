import { Agent, request } from 'undici';
import type { JsonValue } from '../contract/json.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { secureUrl } from './secure-url.js';

/** Milliseconds an issuer has for each step of an answer. */
const TIMEOUT_MS = 3000;
const MAX_BYTES = 262_144;

/** Bounded HTTP to authorization servers: pooled connections, short patience, small answers, no redirects. */
export class IssuerHttp {
  readonly agent = new Agent({
    connections: 4,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_BYTES,
  });

  /**
   * The JSON document at an address, or undefined for a 404.
   * @throws Error for an address that is neither https nor loopback, for any other status (a redirect is one), a document
   *   over 256 KiB, or one that is not strict JSON
   */
  async get(url: string): Promise<JsonValue | undefined> {
    if (!secureUrl(url)) throw new Error(`${url} is neither https nor loopback`);
    const { statusCode, body } = await request(url, {
      dispatcher: this.agent,
      headers: { accept: 'application/json' },
    });
    const text = await body.text();
    if (statusCode === 404) return undefined;
    if (statusCode !== 200) throw new Error(`GET ${url}: ${statusCode}`);
    return parseStrictJson(text, 'bridge');
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}
