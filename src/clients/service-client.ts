import { type Dispatcher, Pool } from 'undici';
import { type Layer, Refusal, isRefusalCode } from '../contract/errors.js';
import type { JsonValue } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';
import { parseStrictJson } from '../contract/strict-json.js';
import type { ClientAssertion } from './client-assertion.js';

export interface ServiceRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** Abandons the request; the service may have acted all the same. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer to begin. Default 30 000 ms. */
  readonly timeoutMs?: number;
}

const LAYERS: readonly Layer[] = ['client', 'bridge', 'dispatcher', 'consent-ui', 'vault', 'rs'];

/** HTTP to one other trust domain over a connection pool, authenticated by a client assertion. */
export class ServiceClient {
  private readonly pool: Pool;

  constructor(
    private readonly options: {
      readonly url: string;
      /** Whose refusals these are when the answer does not say. */
      readonly layer: Layer;
      readonly assertion: ClientAssertion;
    },
  ) {
    this.pool = new Pool(options.url, { connections: 64, keepAliveTimeout: 30_000 });
  }

  /**
   * The parsed JSON of a 2xx answer.
   * @throws Refusal with the code and layer of the service's problem document; `Unavailable` (layer `bridge`)
   *   when the service cannot be reached, times out or answers something that is not ours.
   */
  async request(request: ServiceRequest): Promise<JsonValue> {
    const answer = await this.send(request);
    let body: JsonValue;
    try {
      body = parseStrictJson(answer.text, this.options.layer);
    } catch {
      throw this.unavailable(`status ${answer.status}, body is not JSON`);
    }
    if (answer.status >= 200 && answer.status < 300) return body;
    throw this.refusalOf(answer.status, body);
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async send(request: ServiceRequest): Promise<{ status: number; text: string }> {
    try {
      const response = await this.pool.request({
        method: request.method,
        path: request.path,
        headersTimeout: request.timeoutMs ?? 30_000,
        bodyTimeout: 30_000,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(await this.bodyOf(request)),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw this.unavailable(error instanceof Error ? error.message : 'request failed');
    }
  }

  private async bodyOf(
    request: ServiceRequest,
  ): Promise<Pick<Dispatcher.RequestOptions, 'body'> & { headers: Record<string, string> }> {
    const assertion = await this.options.assertion.get();
    if (request.form !== undefined) {
      const form = new URLSearchParams({ ...request.form, client_assertion: assertion });
      return {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: form.toString(),
      };
    }
    const headers = { authorization: `Bearer ${assertion}`, accept: 'application/json' };
    if (request.json === undefined) return { headers };
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(request.json),
    };
  }

  private refusalOf(status: number, body: JsonValue): Refusal {
    if (!isJsonObject(body) || !isRefusalCode(body['code']))
      return this.unavailable(`status ${status}`);
    const layer = LAYERS.find((known) => known === body['layer']) ?? this.options.layer;
    const path = body['path'];
    const missing = body['missing_scopes'];
    return new Refusal(body['code'], layer, {
      ...(typeof path === 'string' ? { path } : {}),
      ...(Array.isArray(missing)
        ? { missingScopes: missing.filter((s) => typeof s === 'string') }
        : {}),
    });
  }

  private unavailable(detail: string): Refusal {
    return new Refusal('Unavailable', 'bridge', { detail: `${this.options.layer}: ${detail}` });
  }
}
