import type { CallToolResult } from '@modelcontextprotocol/server';
import { displayText } from '../contract/display.js';
import { REFUSALS } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';
import type { OfferedTool } from '../dispatcher/catalogue.js';
import { protocolError } from './protocol-error.js';
import type { ApprovalRequired, Outcome } from '../dispatcher/outcome.js';

/** `_meta` member under which a result names its consent. */
export const CONSENT_META = 'io.consent-bridge/consent';
/** `_meta` member with what {@link NOT_DONE_SCHEMA} describes, where the output schema has no room for it. */
export const REFUSAL_META = 'io.consent-bridge/refusal';

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

/**
 * An outcome as an MCP tool result. Each kind has its own `status`, so no refusal can be mistaken for another.
 * @param admitsRefusals whether the tool's output schema has room for our own answers; else they go into `_meta`
 */
export function toolResult(outcome: Outcome, admitsRefusals = true): CallToolResult {
  const result = resultOf(outcome);
  return admitsRefusals ? result : withRefusalAside(result);
}

/**
 * Whether the output schema we list for a tool has room for our own answers. That of an open upstream tool is left as it
 * is, so what we have to say of a call goes into `_meta`.
 */
export function admitsRefusals({ definition, policy }: OfferedTool): boolean {
  return definition.upstream === undefined || policy.mode !== 'open';
}

function withRefusalAside(result: CallToolResult): CallToolResult {
  const { structuredContent, ...rest } = result;
  if (!refusals.has(result) || structuredContent === undefined) return result;
  return { ...rest, _meta: { ...rest._meta, [REFUSAL_META]: structuredContent } };
}

/** Results that are ours, not a tool's. */
const refusals = new WeakSet<CallToolResult>();

function resultOf(outcome: Outcome): CallToolResult {
  switch (outcome.kind) {
    case 'Success':
      if (outcome.upstream !== undefined) return untouched(outcome.result, outcome.consentId);
      return {
        content: [{ type: 'text', text: JSON.stringify(outcome.result) }],
        structuredContent: outcome.result,
        ...consentMeta(outcome.consentId),
      };
    case 'Failed':
      if (outcome.error.rpc !== undefined) throw protocolError(outcome.error.rpc);
      if (outcome.result !== undefined) return untouched(outcome.result, outcome.consentId);
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

/** What an upstream tool answered, with the name of the consent added. */
function untouched(result: JsonObject, consentId: string | undefined): CallToolResult {
  const meta = isJsonObject(result['_meta']) ? result['_meta'] : {};
  const named = consentId === undefined ? {} : { _meta: { ...meta, [CONSENT_META]: consentId } };
  return { ...result, ...named } as unknown as CallToolResult;
}

function notDone(
  structured: Record<string, unknown>,
  text: string,
  consentId?: string,
): CallToolResult {
  const result: CallToolResult = {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: structured,
    ...consentMeta(consentId),
  };
  refusals.add(result);
  return result;
}

function consentMeta(consentId: string | undefined): Pick<CallToolResult, '_meta'> {
  return consentId === undefined ? {} : { _meta: { [CONSENT_META]: consentId } };
}
