import { Refusal } from '../contract/errors.js';
import type { SignedPayload } from '../contract/payload.js';
import type { MintedCredential, Vault } from '../contract/vault.js';
import {
  CLIENT_ASSERTION_TYPE,
  SIGNED_PAYLOAD_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
  tokenResponse,
} from '../contract/wire.js';
import { decode } from './decode.js';
import type { ServiceClient } from './service-client.js';

/** What the bridge adds to a signed payload when it asks for a credential. */
export interface MintContext {
  /** The bridge's own stable id of this mint, so that a repeat after a crash gets the same credential (22 to 64 base64url characters). */
  readonly mintId: string;
  /** Subject of the caller the approval is for. */
  readonly subject: string;
}

/** Tier 2 vault over HTTP: the token-exchange grant of RFC 8693 with RFC 9396 authorization details. */
export class HttpVault implements Vault {
  constructor(
    private readonly service: ServiceClient,
    private readonly contextOf: (signed: SignedPayload) => MintContext,
  ) {}

  async mint(signed: SignedPayload): Promise<MintedCredential> {
    const { payload } = signed;
    const context = this.contextOf(signed);
    const answer = await this.service.request({
      method: 'POST',
      path: '/token',
      form: {
        grant_type: TOKEN_EXCHANGE_GRANT,
        subject_token: Buffer.from(JSON.stringify(signed), 'utf8').toString('base64url'),
        subject_token_type: SIGNED_PAYLOAD_TOKEN_TYPE,
        authorization_details: JSON.stringify([
          { type: payload.rar_type, command: payload.cmd, args: payload.args },
        ]),
        ...('aud' in payload ? { resource: payload.aud } : {}),
        requested_subject: context.subject,
        mint_id: context.mintId,
        client_assertion_type: CLIENT_ASSERTION_TYPE,
      },
    });
    const token = decode(tokenResponse, answer, 'vault');
    return {
      credential: token.access_token,
      jti: token.jti,
      exp: token.exp,
      approverId: token.approver_id,
      command: token.command,
    };
  }

  /** Tier 2 credentials are spent by the resource server that executes them, never by the bridge. */
  consume(): Promise<MintedCredential> {
    return Promise.reject(
      new Refusal('Forbidden', 'bridge', { detail: 'the resource server consumes' }),
    );
  }
}
