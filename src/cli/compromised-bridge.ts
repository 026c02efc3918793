/**
 * The bridge, taken over. It holds everything in the bridge's data directory, its client key above all, and talks to
 * consent-ui, vault and rs directly, past every check the bridge's own code makes.
 */
import type { JsonWebKey } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { JsonObject } from '../contract/json.js';
import type { Form2Payload, SignedPayload } from '../contract/payload.js';
import { signedPayload } from '../contract/payload.js';
import type { Caller } from '../contract/wire.js';
import {
  CLIENT_ASSERTION_TYPE,
  SIGNED_PAYLOAD_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
  tokenResponse,
} from '../contract/wire.js';
import { clientAssertion } from './client-assertion.js';
import { domainDir, readJson } from './data-directory.js';
import type { Answer } from './http.js';
import { call, expectOk } from './http.js';
import type { Stack } from './stack.js';

export interface Execution {
  readonly command: string;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly credential?: string;
  readonly signed?: SignedPayload;
}

export class CompromisedBridge {
  private readonly key: JsonWebKey;
  private readonly clientId: string;

  constructor(private readonly stack: Pick<Stack, 'data' | 'configs'>) {
    const { client_id, private_jwk_file } = stack.configs.bridge.client;
    this.clientId = client_id;
    this.key = readJson(join(domainDir(stack.data, 'bridge'), private_jwk_file)) as JsonWebKey;
  }

  /** A payload as the bridge would propose it, with a nonce of its own. `ttl` in seconds. */
  payload(caller: Caller, cmd: string, args: JsonObject, ttl = 300): Form2Payload {
    const { bridge } = this.stack.configs;
    return {
      v: 2,
      cmd,
      args,
      rar_type: bridge.rar_type,
      exp: Math.floor(Date.now() / 1000) + ttl,
      approver_id: caller.subject,
      binding_message: `Delete task ${JSON.stringify(args['task_id'])}`,
      aud: bridge.rs.resource,
      client_id: caller.client_id,
      nonce: randomBytes(32).toString('base64url'),
    };
  }

  /** Puts a proposal before the approver and returns its link. */
  async propose(payload: Form2Payload): Promise<string> {
    const { url, origin } = this.stack.configs.bridge.consent_ui;
    const requested_by = { subject: payload.approver_id, client_id: payload.client_id };
    const answer = await call(`${url}/v1/consents/${payload.nonce}`, {
      method: 'PUT',
      headers: this.headers(origin),
      json: { payload, requested_by, tool: {} },
    });
    expectOk(answer, 'proposing');
    return `${origin}/consents/${payload.nonce}`;
  }

  /** The signed payload of an approved consent, which the page gives the bridge. */
  async signed(consentId: string): Promise<SignedPayload> {
    const { url, origin } = this.stack.configs.bridge.consent_ui;
    const answer = await call(`${url}/v1/consents/${consentId}`, { headers: this.headers(origin) });
    return z.looseObject({ signed: signedPayload }).parse(expectOk(answer, 'fetching')).signed;
  }

  /** POST /token with whatever it is given. `detail` differs from the payload only in an attack. */
  mint(signed: SignedPayload, detail?: JsonObject): Promise<Answer> {
    const { vault, rs } = this.stack.configs.bridge;
    const { payload } = signed;
    const own = { type: payload.rar_type, command: payload.cmd, args: payload.args };
    return call(`${vault.url}/token`, {
      method: 'POST',
      form: {
        grant_type: TOKEN_EXCHANGE_GRANT,
        subject_token: Buffer.from(JSON.stringify(signed)).toString('base64url'),
        subject_token_type: SIGNED_PAYLOAD_TOKEN_TYPE,
        authorization_details: JSON.stringify([detail ?? own]),
        resource: rs.resource,
        requested_subject: payload.approver_id,
        mint_id: randomBytes(24).toString('base64url'),
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: clientAssertion(this.key, this.clientId, vault.issuer),
      },
    });
  }

  /** A credential for a payload that is really signed. */
  async credential(signed: SignedPayload): Promise<string> {
    return tokenResponse.parse(expectOk(await this.mint(signed), 'minting')).access_token;
  }

  execute(execution: Execution): Promise<Answer> {
    const { rs } = this.stack.configs.bridge;
    const headers = this.headers(rs.resource);
    return call(`${rs.url}/v1/execute`, { method: 'POST', headers, json: execution });
  }

  private headers(aud: string): Record<string, string> {
    return { authorization: `Bearer ${clientAssertion(this.key, this.clientId, aud)}` };
  }
}
