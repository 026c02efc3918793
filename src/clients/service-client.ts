import { type Dispatcher, Pool } from 'undici';
import { type Layer, Refusal } from '../contract/errors.js';
import type { JsonValue } from '../contract/json.js';
import { parseStrictJson } from '../contract/strict-json.js';
import { linesOf } from './lines.js';
import { refusalOfProblem } from './problem.js';
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

/** Longer than the longest result a resource server passes on, with its escapes. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** HTTP to one other trust domain over a connection pool, authenticated by a client assertion. */
export class ServiceClient {
  private readonly pool: Pool;
  /** Answers in lines last as long as a run, or as a client listens: they must not be what short requests wait for. */
  private readonly lasting: Pool;

  constructor(
    private readonly options: {
      readonly url: string;
      /** Whose refusals these are when the answer does not say. */
      readonly layer: Layer;
      readonly assertion: ClientAssertion;
    },
  ) {
    this.pool = new Pool(options.url, { connections: 64, keepAliveTimeout: 30_000 });
    this.lasting = new Pool(options.url, { keepAliveTimeout: 30_000 });
  }

  /**
   * The parsed JSON of a 2xx answer.
   * @throws Refusal with the code and layer of the service's problem document; `Unavailable` (layer `bridge`)
   *   when the service cannot be reached, times out or answers something that is not ours.
   */
  async request(request: ServiceRequest): Promise<JsonValue> {
    const answer = await this.send(request);
    if (answer.status === 204) return null;
    const body = this.parsed(answer.text);
    if (answer.status >= 200 && answer.status < 300) return body;
    throw this.refusalOf(answer.status, body);
  }

  /**
   * The lines of an NDJSON answer, each as it arrives; blank ones keep the connection alive and are left out. Ending the
   * iteration, or `signal`, closes the connection. @throws as {@link request}; a line over {@link MAX_LINE_BYTES} is
   * `Unavailable`
   */
  async *lines(request: ServiceRequest): AsyncGenerator<JsonValue, void, undefined> {
    const response = await this.respond(request, 'application/x-ndjson', this.lasting);
    try {
      if (response.statusCode < 200 || response.statusCode >= 300)
        throw this.refusalOf(response.statusCode, this.parsed(await response.body.text()));
      for await (const line of linesOf(response.body, MAX_LINE_BYTES)) {
        if (line !== '') yield this.parsed(line);
      }
    } catch (error) {
      throw error instanceof Refusal ? error : this.unavailable(messageOf(error));
    } finally {
      response.body.destroy();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.destroy(), this.lasting.destroy()]);
  }

  private async send(request: ServiceRequest): Promise<{ status: number; text: string }> {
    const response = await this.respond(request, 'application/json', this.pool);
    try {
      return { status: response.statusCode, text: await response.body.text() };
    } catch (error) {
      throw this.unavailable(messageOf(error));
    }
  }

  private async respond(
    request: ServiceRequest,
    accept: string,
    pool: Pool,
  ): Promise<Dispatcher.ResponseData> {
    try {
      return await pool.request({
        method: request.method,
        path: request.path,
        headersTimeout: request.timeoutMs ?? 30_000,
        bodyTimeout: 30_000,
        ...(request.signal === undefined ? {} : { signal: request.signal }),
        ...(await this.bodyOf(request, accept)),
      });
    } catch (error) {
      throw this.unavailable(messageOf(error));
    }
  }

  private parsed(text: string): JsonValue {
    try {
      return parseStrictJson(text, this.options.layer);
    } catch {
      throw this.unavailable('the answer is not JSON');
    }
  }

  private async bodyOf(
    request: ServiceRequest,
    accept: string,
  ): Promise<Pick<Dispatcher.RequestOptions, 'body'> & { headers: Record<string, string> }> {
    const assertion = await this.options.assertion.get();
    if (request.form !== undefined) {
      const form = new URLSearchParams({ ...request.form, client_assertion: assertion });
      return {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept,
        },
        body: form.toString(),
      };
    }
    const headers = { authorization: `Bearer ${assertion}`, accept };
    if (request.json === undefined) return { headers };
    return {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(request.json),
    };
  }

  private refusalOf(status: number, body: JsonValue): Refusal {
    return refusalOfProblem(body, this.options.layer) ?? this.unavailable(`status ${status}`);
  }

  private unavailable(detail: string): Refusal {
    return new Refusal('Unavailable', 'bridge', { detail: `${this.options.layer}: ${detail}` });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'request failed';
}
