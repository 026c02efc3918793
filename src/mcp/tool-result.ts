import type { CallToolResult } from '@modelcontextprotocol/server';
import { displayText } from '../contract/display.js';
import { REFUSALS } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { ApprovalRequired, Outcome } from '../dispatcher/outcome.js';

/** `_meta` member under which a result names its consent. */
export const CONSENT_META = 'io.consent-bridge/consent';

/** JSON Schema of `structuredContent` when the tool did not succeed. Part of every tool's output schema, since clients check errors against it too. */
export const NOT_DONE_SCHEMA: JsonObject = {
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['approval_required', 'unauthorized', 'declined', 'refused', 'failed'] },
    code: { type: 'string' },
    layer: { type: 'string' },
    path: { type: 'string' },
    consent_id: { type: 'string' },
    url: { type: 'string' },
    expires_at: { type: 'integer', description: 'POSIX seconds' },
    missing_scopes: { type: 'array', items: { type: 'string' } },
    by: { enum: ['approver', 'client'] },
    reason: { type: 'string' },
    error: { type: 'object' },
  },
};

/** An outcome as an MCP tool result. Each kind has its own `status`, so no refusal can be mistaken for another. */
export function toolResult(outcome: Outcome): CallToolResult {
  switch (outcome.kind) {
    case 'Success':
      return {
        content: [{ type: 'text', text: JSON.stringify(outcome.result) }],
        structuredContent: outcome.result,
        ...consentMeta(outcome.consentId),
      };
    case 'Failed':
      return notDone(
        { status: 'failed', error: outcome.error },
        `The tool ran and failed: ${outcome.error.code}: ${outcome.error.message}`,
        outcome.consentId,
      );
    case 'Unauthorized':
      return notDone(
        {
          status: 'unauthorized',
          code: 'Unauthorized',
          layer: outcome.layer,
          missing_scopes: outcome.missingScopes,
        },
        `${REFUSALS.Unauthorized.sentence} Missing: ${outcome.missingScopes.join(' ')}.`,
      );
    case 'ApprovalRequired':
      return approvalRequired(outcome);
    case 'Declined':
      return notDone(
        {
          status: 'declined',
          code: 'Declined',
          by: outcome.by,
          consent_id: outcome.consentId,
          ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
        },
        outcome.by === 'approver'
          ? `${REFUSALS.Declined.sentence}${outcome.reason === undefined ? '' : ` Their reason: ${displayText(outcome.reason)}`}`
          : 'The client declined to ask for approval. Nothing ran.',
        outcome.consentId,
      );
    case 'Refused':
      return notDone(
        {
          status: 'refused',
          code: outcome.code,
          layer: outcome.layer,
          ...(outcome.path === undefined ? {} : { path: outcome.path }),
        },
        `${outcome.code} (${outcome.layer}): ${REFUSALS[outcome.code].sentence}${outcome.path === undefined ? '' : ` At ${displayText(outcome.path)}.`}`,
        outcome.consentId,
      );
  }
}

function approvalRequired(outcome: ApprovalRequired): CallToolResult {
  const message = displayText(outcome.message);
  return notDone(
    {
      status: 'approval_required',
      code: 'ApprovalRequired',
      consent_id: outcome.consentId,
      url: outcome.url,
      expires_at: outcome.exp,
    },
    `A person must approve this call first: “${message}” Ask them to open ${outcome.url} and then call again with the same arguments.`,
    outcome.consentId,
  );
}

function notDone(
  structured: Record<string, unknown>,
  text: string,
  consentId?: string,
): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: structured,
    ...consentMeta(consentId),
  };
}

function consentMeta(consentId: string | undefined): Pick<CallToolResult, '_meta'> {
  return consentId === undefined ? {} : { _meta: { [CONSENT_META]: consentId } };
}
