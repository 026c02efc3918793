import { createHash } from 'node:crypto';
import type { ResourceServerClient } from '../clients/rs-client.js';
import { canonicalJson } from '../contract/canonical.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type {
  Caller,
  ExecuteRequest,
  ExecutionOutcome,
  ExecutionState,
  ToolDefinition,
} from '../contract/wire.js';
import type { Consent } from '../store/consents.js';
import type { AppendRecord } from '../store/record.js';
import type { Catalogue, OfferedTool } from './catalogue.js';
import type { Approved, Gate, Patience } from './gate.js';
import { type Exchange, UNREACHABLE } from './exchange.js';
import { isFinal } from './next-step.js';
import { type Outcome, type Refused, type Unauthorized, refusedBy } from './outcome.js';
import type { ToolCall } from './proposal.js';
import { SharedFlights } from './shared-flights.js';

export interface DispatcherPorts {
  readonly catalogue: Catalogue;
  /** Absent when no gate is wired: the surface is then read-only. */
  readonly gate: Gate | undefined;
  readonly rs: Pick<ResourceServerClient, 'execute' | 'execution'>;
  readonly record: AppendRecord;
  /** For what is nobody's refusal, such as a full disk: one line for the operator. */
  readonly reportError: (error: unknown) => void;
}

/** The dispatcher as the protocol surfaces use it; calls that go to other agents have one of their own. */
export type Dispatching = Pick<
  Dispatcher,
  'dispatch' | 'acknowledge' | 'declinedByClient' | 'scopesMissing'
>;

/** How often a run that another request started is looked at, and for how long, milliseconds. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 20_000;

/** Scopes first, then the gate, then pass-through. Layer 2: nothing here can alter what was minted. */
export class Dispatcher {
  private readonly running = new SharedFlights<Outcome>();

  constructor(private readonly ports: DispatcherPorts) {}

  /** One call, taken as far as it goes now. Never throws: every refusal is an outcome. */
  async dispatch(
    call: ToolCall,
    patience: Patience,
    exchange: Exchange = UNREACHABLE,
  ): Promise<Outcome> {
    try {
      const tool = await this.ports.catalogue.find(call.tool);
      const unauthorized = this.missingScopes(call, tool);
      if (unauthorized !== undefined) return unauthorized;
      tool.checkArgs(call.args);
      if (tool.policy.mode === 'open')
        return await this.runOpen(call, tool, exchange, patience.signal);
      const approval = await this.gate().approvalFor(call, tool.policy, tool.definition, patience);
      if (approval.kind !== 'Approved') return approval;
      return await this.passThrough(call, tool, approval, exchange);
    } catch (error) {
      const refused = refusedBy(this.refusalOf(error));
      this.recordRefusal(call, refused);
      return refused;
    }
  }

  /**
   * The scopes this caller lacks for this tool, for a surface that can ask for them; the refusal is then on the record, and
   * the call is not to be dispatched. None for a tool that cannot be found: dispatching says what is wrong with it.
   */
  async scopesMissing(caller: Caller, tool: string): Promise<readonly string[]> {
    const found = await this.ports.catalogue.find(tool).catch(() => undefined);
    const refused = found && this.missingScopes({ caller, tool }, found);
    return refused?.missingScopes ?? [];
  }

  /** The answer was handed to the caller, so the next identical call is a new wish. */
  acknowledge(outcome: Outcome): void {
    if ('consentId' in outcome) this.ports.gate?.acknowledge(outcome.consentId);
  }

  /** The client declined or cancelled the elicitation: the call ends as the client's refusal, not the approver's. */
  async declinedByClient(call: ToolCall, consentId: string): Promise<Outcome> {
    try {
      return await this.gate().refusedByClient(call, consentId);
    } catch (error) {
      return refusedBy(this.refusalOf(error), consentId);
    }
  }

  /** Every refusal is typed, also of what nobody foresaw: the caller learns `Internal`, the operator the rest. */
  private refusalOf(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    this.ports.reportError(error);
    return new Refusal('Internal', 'bridge');
  }

  private recordRefusal({ tool, caller }: ToolCall, { code, layer }: Refused): void {
    const { subject, client_id } = caller;
    try {
      this.ports.record('call.refused', { tool, subject, client_id, code, layer });
    } catch (error) {
      this.ports.reportError(error);
    }
  }

  private missingScopes(
    call: Pick<ToolCall, 'caller' | 'tool'>,
    tool: OfferedTool,
  ): Unauthorized | undefined {
    const missingScopes = tool.policy.scopes.filter((scope) => !call.caller.scopes.includes(scope));
    if (missingScopes.length === 0) return undefined;
    const { subject, client_id } = call.caller;
    this.ports.record('scope.refused', {
      tool: call.tool,
      subject,
      client_id,
      missing_scopes: missingScopes,
    });
    return { kind: 'Unauthorized', tool: call.tool, missingScopes, layer: 'dispatcher' };
  }

  private async runOpen(
    call: ToolCall,
    { definition }: OfferedTool,
    exchange: Exchange,
    signal: AbortSignal | undefined,
  ): Promise<Outcome> {
    const { tool: command, args, caller, meta } = call;
    const request = {
      ...{ command, args, caller },
      ...asking(call),
      ...(meta === undefined ? {} : { meta }),
    };
    const outcome = await this.ports.rs.execute(request, heardBy(definition, exchange), signal);
    const { subject, client_id } = caller;
    const result = outcomeOf(outcome, definition);
    const outcome_digest = digestOf(outcome);
    this.ports.record('call.executed', {
      tool: call.tool,
      subject,
      client_id,
      status: result.kind,
      outcome_digest,
    });
    return result;
  }

  /** The credential the bridge received is the credential the resource server sees. */
  private passThrough(
    call: ToolCall,
    { definition }: OfferedTool,
    { consent, credential, jti, signed }: Approved,
    exchange: Exchange,
  ): Promise<Outcome> {
    return this.running.run(consent.id, async () => {
      try {
        const { tool: command, args, caller } = call;
        const request = { command, args, caller, credential, signed, ...asking(call) };
        const outcome = await this.ports.rs.execute(request, heardBy(definition, exchange));
        const result = outcomeOf(outcome, definition, consent.id);
        return this.gate().settle(consent, result, digestOf(outcome));
      } catch (error) {
        if (!(error instanceof Refusal) || !isFinal(error.code)) throw error;
        const refused = refusedBy(error, consent.id);
        return error.code === 'ExecutionIndeterminate'
          ? this.gate().settle(consent, refused)
          : this.settleAsEarlierRun(consent, jti, definition, refused);
      }
    });
  }

  /**
   * Whatever the credential is refused for now (used, by now expired, …), it may have been presented before, by a request
   * whose answer was lost: what became of it then is the answer. Only one that never ran ends as refused.
   */
  private async settleAsEarlierRun(
    consent: Consent,
    jti: string,
    definition: ToolDefinition,
    refused: Outcome,
  ): Promise<Outcome> {
    const attempts = LOOK_FOR_MS / LOOK_EVERY_MS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const execution = await this.executionOf(jti);
      if (execution === undefined) return this.gate().settle(consent, refused);
      const { state, outcome } = execution;
      if (outcome !== undefined) {
        const result = outcomeOf(outcome, definition, consent.id);
        return this.gate().settle(consent, result, digestOf(outcome));
      }
      if (state !== 'started') {
        const code = 'ExecutionIndeterminate';
        const lost: Outcome = { kind: 'Refused', code, layer: 'rs', consentId: consent.id };
        return this.gate().settle(consent, lost);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Refusal('Unavailable', 'rs', { detail: `${jti} is still running` });
  }

  /** Undefined if the credential was never accepted. */
  private async executionOf(jti: string): Promise<ExecutionState | undefined> {
    try {
      return await this.ports.rs.execution(jti);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NotFound') return undefined;
      throw error;
    }
  }

  private gate(): Gate {
    if (this.ports.gate === undefined) throw new Refusal('UnknownTool', 'dispatcher');
    return this.ports.gate;
  }
}

/** The resource server's own tools say and ask nothing while they run. */
function heardBy({ upstream }: ToolDefinition, exchange: Exchange): Exchange {
  return upstream === undefined ? UNREACHABLE : exchange;
}

/** What the resource server may need of the client on the way. */
function asking({ lane, progress }: ToolCall): Pick<ExecuteRequest, 'lane' | 'progress'> {
  return {
    ...(lane === undefined ? {} : { lane }),
    ...(progress === true ? { progress } : {}),
  };
}

function outcomeOf(
  outcome: ExecutionOutcome,
  { upstream }: ToolDefinition,
  consentId?: string,
): Outcome {
  const more = {
    ...(upstream === undefined ? {} : { upstream }),
    ...(consentId === undefined ? {} : { consentId }),
  };
  if (outcome.status === 'success') return { kind: 'Success', result: outcome.result, ...more };
  const { error, result } = outcome;
  return { kind: 'Failed', error, ...(result === undefined ? {} : { result }), ...more };
}

/**
 * Base64url SHA-256 of the outcome's RFC 8785 text: what the record keeps instead of the outcome. Undefined for a result
 * too deep or too large to have such a text: the run happened and is told all the same.
 */
function digestOf(outcome: ExecutionOutcome): string | undefined {
  try {
    const text = canonicalJson(saidBy(outcome), 2, 'bridge');
    return createHash('sha256').update(text).digest('base64url');
  } catch {
    return undefined;
  }
}

function saidBy(outcome: ExecutionOutcome): JsonObject {
  if (outcome.status === 'success') return outcome.result;
  const { code, message } = outcome.error;
  return outcome.result ?? { code, message };
}
