import type { Ask } from '../a2a/translation/ask.js';
import { authorizationDetail } from '../contract/vault.js';
import type { Form2Payload } from '../contract/payload.js';

/** The payload an ask is about, as a signer that is not the leaf's page puts it together. */
export function payloadOfAsk(ask: Ask): Form2Payload {
  const [detail] = JSON.parse(ask.authorization_details) as unknown[];
  const { type, command, args } = authorizationDetail.parse(detail);
  return {
    v: 2,
    cmd: command,
    args,
    rar_type: type,
    exp: ask.exp,
    approver_id: ask.approver_id,
    binding_message: ask.binding_message,
    aud: ask.resource,
    client_id: ask.agent,
    nonce: ask.consent_id,
  };
}
