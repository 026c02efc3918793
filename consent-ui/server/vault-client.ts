import { Pool } from 'undici';
import * as z from 'zod';
import { Refusal, isRefusalCode } from '../../src/contract/errors.js';
import type { JsonObject, JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import { type SignedPayload, jsonObject, keyId } from '../../src/contract/payload.js';
import { parseStrictJson } from '../../src/contract/strict-json.js';
import { type ApproverKey, approverKeys } from '../../src/contract/wire.js';

const LAYER = 'consent-ui';
const TIMEOUT_MS = 10_000;

const enrolmentOptions = z.looseObject({
  enrolment_id: z.string(),
  approver_id: z.string(),
  options: jsonObject,
});
const signInOptions = z.looseObject({ challenge_id: z.string(), options: jsonObject });
const enrolled = z.looseObject({
  approver_id: z.string(),
  key_id: keyId,
  credential_id: z.string(),
});
const signedIn = z.looseObject({ approver_id: z.string(), key_id: keyId });
const examined = z.looseObject({ approver_id: z.string(), key_id: keyId, hash: z.string() });

export type EnrolmentOptions = z.infer<typeof enrolmentOptions>;
export type SignInOptions = z.infer<typeof signInOptions>;
export type Enrolled = z.infer<typeof enrolled>;
export type SignedIn = z.infer<typeof signedIn>;

/** What the consent page asks of the vault: the passkey ceremonies, and whether a signature would mint. It cannot mint. */
export interface Vault {
  enrolmentOptions(invite: string): Promise<EnrolmentOptions>;
  finishEnrolment(answer: {
    enrolment_id: string;
    response: JsonObject;
    label: string;
  }): Promise<Enrolled>;
  signInOptions(): Promise<SignInOptions>;
  finishSignIn(answer: { challenge_id: string; response: JsonObject }): Promise<SignedIn>;
  /** `assertion` is a JWT a terminal approver signed for this page. */
  signInWithKey(assertion: string): Promise<SignedIn>;
  /** Resolves when the vault would mint for this signature (apart from single use and its per-subject policy). */
  examine(signed: SignedPayload): Promise<void>;
  /** Active keys only. */
  keysOf(approverId: string): Promise<readonly ApproverKey[]>;
}

/**
 * The vault over HTTP. Every method rejects with the vault's own refusal (layer `vault`), or with `Unavailable` (layer
 * `consent-ui`) when the vault cannot be reached or answers something that is not ours.
 */
export class HttpVault implements Vault {
  private readonly pool: Pool;

  constructor(
    private readonly options: {
      readonly url: string;
      /** Public origin of this page, the audience of a terminal approver's assertion. */
      readonly origin: string;
      readonly assertion: { get(): Promise<string> };
    },
  ) {
    this.pool = new Pool(options.url, {
      connections: 32,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  async enrolmentOptions(invite: string): Promise<EnrolmentOptions> {
    return decoded(enrolmentOptions, await this.call('POST', '/v1/enrolments/options', { invite }));
  }

  async finishEnrolment(answer: Parameters<Vault['finishEnrolment']>[0]): Promise<Enrolled> {
    return decoded(enrolled, await this.call('POST', '/v1/enrolments/finish', answer));
  }

  async signInOptions(): Promise<SignInOptions> {
    return decoded(signInOptions, await this.call('POST', '/v1/sign-in/options', {}));
  }

  async finishSignIn(answer: Parameters<Vault['finishSignIn']>[0]): Promise<SignedIn> {
    return decoded(signedIn, await this.call('POST', '/v1/sign-in/finish', answer));
  }

  async signInWithKey(assertion: string): Promise<SignedIn> {
    const body = { assertion, aud: this.options.origin };
    return decoded(signedIn, await this.call('POST', '/v1/sign-in/key', body));
  }

  async examine(signed: SignedPayload): Promise<void> {
    decoded(examined, await this.call('POST', '/v1/signatures/examine', { signed }));
  }

  async keysOf(approverId: string): Promise<readonly ApproverKey[]> {
    const path = `/v1/approvers/${encodeURIComponent(approverId)}/keys`;
    return decoded(approverKeys, await this.call('GET', path)).keys;
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<JsonValue> {
    const { status, text } = await this.send(method, path, body);
    const answer = jsonOf(text, status);
    if (status >= 200 && status < 300) return answer;
    throw refusalOf(status, answer);
  }

  private async send(
    method: 'GET' | 'POST',
    path: string,
    body: unknown,
  ): Promise<{ status: number; text: string }> {
    const authorization = `Bearer ${await this.options.assertion.get()}`;
    try {
      const response = await this.pool.request({
        method,
        path,
        headers:
          body === undefined
            ? { authorization }
            : { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.statusCode, text: await response.body.text() };
    } catch (cause) {
      throw unavailable(cause instanceof Error ? cause.message : 'request failed');
    }
  }
}

function jsonOf(text: string, status: number): JsonValue {
  try {
    return parseStrictJson(text, LAYER);
  } catch {
    throw unavailable(`status ${status}, not JSON`);
  }
}

function decoded<T>(schema: z.ZodType<T>, answer: JsonValue): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw unavailable('unexpected answer');
  return parsed.data;
}

/** The vault's refusal as it is; one that is about *this service's* standing there is our failure, not the person's. */
function refusalOf(status: number, answer: JsonValue): Refusal {
  const problem: JsonObject = isJsonObject(answer) ? answer : {};
  const code = problem['code'];
  const path = problem['path'];
  if (!isRefusalCode(code)) return unavailable(`status ${status}`);
  if (code === 'Unauthenticated' || code === 'Forbidden') {
    return new Refusal('Internal', LAYER, { detail: `the vault answers ${code} to this service` });
  }
  return new Refusal(code, 'vault', typeof path === 'string' ? { path } : {});
}

function unavailable(detail: string): Refusal {
  return new Refusal('Unavailable', LAYER, { detail: `vault: ${detail}` });
}
