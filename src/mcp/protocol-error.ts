import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { displayText } from '../contract/display.js';
import { REFUSALS } from '../contract/errors.js';
import type { RpcError } from '../contract/wire.js';
import type { Outcome } from '../dispatcher/outcome.js';

/** An upstream's own error, as it answered it. */
export function protocolError({ code, message, data }: RpcError): ProtocolError {
  return new ProtocolError(code, message, data);
}

/** JSON-RPC server error of a request that was refused; `data` says by whom and why. */
const REFUSED = -32_003;

/** A refusal where MCP has no result that could carry it (resources, prompts). */
export function refusalError(outcome: Exclude<Outcome, { kind: 'Success' }>): ProtocolError {
  switch (outcome.kind) {
    case 'Failed':
      return outcome.error.rpc === undefined
        ? new ProtocolError(ProtocolErrorCode.InternalError, outcome.error.message)
        : protocolError(outcome.error.rpc);
    case 'Unauthorized': {
      const { missingScopes: missing_scopes, layer } = outcome;
      const data = { code: 'Unauthorized', layer, missing_scopes };
      return new ProtocolError(REFUSED, REFUSALS.Unauthorized.sentence, data);
    }
    case 'ApprovalRequired': {
      const { consentId: consent_id, url, exp: expires_at } = outcome;
      const data = { code: 'ApprovalRequired', layer: 'dispatcher', consent_id, url, expires_at };
      const message = `A person must approve this first: “${displayText(outcome.message)}” Ask them to open ${url} and then repeat the request.`;
      return new ProtocolError(REFUSED, message, data);
    }
    case 'Declined': {
      const layer = outcome.by === 'approver' ? 'consent-ui' : 'client';
      return new ProtocolError(REFUSED, REFUSALS.Declined.sentence, { code: 'Declined', layer });
    }
    case 'Refused': {
      const { code, layer, path } = outcome;
      const data = { code, layer, ...(path === undefined ? {} : { path }) };
      return new ProtocolError(REFUSED, REFUSALS[code].sentence, data);
    }
  }
}
