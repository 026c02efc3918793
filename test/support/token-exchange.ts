/** POST /token by hand, with every parameter up for change. */
import { randomBytes } from 'node:crypto';
import { type Answer, call } from '../../src/cli/http.js';
import type { SignedPayload } from '../../src/contract/payload.js';
import {
  CLIENT_ASSERTION_TYPE,
  SIGNED_PAYLOAD_TOKEN_TYPE,
  TOKEN_EXCHANGE_GRANT,
} from '../../src/contract/wire.js';
import { ServiceIdentity } from './service-identity.js';
import type { TestStack } from './test-stack.js';

export type Form = Readonly<Record<string, string>>;

/** The parameters of an honest exchange but for the client's authentication. */
export function exchangeForm(stack: TestStack, signed: SignedPayload): Form {
  const { payload } = signed;
  const detail = { type: payload.rar_type, command: payload.cmd, args: payload.args };
  return {
    grant_type: TOKEN_EXCHANGE_GRANT,
    subject_token: Buffer.from(JSON.stringify(signed)).toString('base64url'),
    subject_token_type: SIGNED_PAYLOAD_TOKEN_TYPE,
    authorization_details: JSON.stringify([detail]),
    resource: 'aud' in payload ? payload.aud : stack.configs.rs.resource,
    requested_subject: payload.approver_id,
    mint_id: randomBytes(24).toString('base64url'),
  };
}

/** Sends the exchange; `changes` go over its parameters, and one given as '' is left out. */
export function exchange(
  stack: TestStack,
  signed: SignedPayload,
  changes: Form = {},
): Promise<Answer> {
  const { issuer } = stack.configs.vault;
  const client = {
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: new ServiceIdentity(stack, 'bridge').assertion(issuer),
  };
  const form = Object.entries({ ...exchangeForm(stack, signed), ...client, ...changes });
  return call(`${issuer}/token`, {
    method: 'POST',
    form: Object.fromEntries(form.filter(([, value]) => value !== '')),
  });
}
