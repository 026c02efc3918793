import { createHash } from 'node:crypto';
import type { ResourceServerClient } from '../clients/rs-client.js';
import { canonicalJson } from '../contract/canonical.js';
import { Refusal } from '../contract/errors.js';
import type { JsonObject } from '../contract/json.js';
import type { ExecutionOutcome, ExecutionState } from '../contract/wire.js';
import type { Consent } from '../store/consents.js';
import type { AppendRecord } from '../store/record.js';
import type { Catalogue, OfferedTool } from './catalogue.js';
import type { Approved, Gate, Patience } from './gate.js';
import { isFinal } from './next-step.js';
import { type Outcome, type Refused, refusedBy } from './outcome.js';
import type { ToolCall } from './proposal.js';
import { SharedFlights } from './shared-flights.js';

export interface DispatcherPorts {
  readonly catalogue: Catalogue;
  /** Absent when no gate is wired: the surface is then read-only. */
  readonly gate: Gate | undefined;
  readonly rs: ResourceServerClient;
  readonly record: AppendRecord;
  /** For what is nobody's refusal, such as a full disk: one line for the operator. */
  readonly reportError: (error: unknown) => void;
}

/** The dispatcher as the protocol surfaces use it; calls that go to other agents have one of their own. */
export type Dispatching = Pick<Dispatcher, 'dispatch' | 'acknowledge' | 'declinedByClient'>;

/** How often a run that another request started is looked at, and for how long, milliseconds. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 20_000;

/** Scopes first, then the gate, then pass-through. Layer 2: nothing here can alter what was minted. */
export class Dispatcher {
  private readonly running = new SharedFlights<Outcome>();

  constructor(private readonly ports: DispatcherPorts) {}

  /** One call, taken as far as it goes now. Never throws: every refusal is an outcome. */
  async dispatch(call: ToolCall, patience: Patience): Promise<Outcome> {
    try {
      const tool = await this.ports.catalogue.find(call.tool);
      const unauthorized = this.missingScopes(call, tool);
      if (unauthorized !== undefined) return unauthorized;
      tool.checkArgs(call.args);
      if (tool.policy.mode === 'open') return await this.runOpen(call);
      const approval = await this.gate().approvalFor(call, tool.policy, tool.definition, patience);
      return approval.kind === 'Approved' ? await this.passThrough(call, approval) : approval;
    } catch (error) {
      const refused = refusedBy(this.refusalOf(error));
      this.recordRefusal(call, refused);
      return refused;
    }
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

  private missingScopes(call: ToolCall, tool: OfferedTool): Outcome | undefined {
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

  private async runOpen(call: ToolCall): Promise<Outcome> {
    const outcome = await this.ports.rs.execute({
      command: call.tool,
      args: call.args,
      caller: call.caller,
    });
    const { subject, client_id } = call.caller;
    const result = outcomeOf(outcome);
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
    { consent, credential, jti, signed }: Approved,
  ): Promise<Outcome> {
    return this.running.run(consent.id, async () => {
      try {
        const { tool: command, args, caller } = call;
        const outcome = await this.ports.rs.execute({ command, args, caller, credential, signed });
        return this.gate().settle(consent, outcomeOf(outcome, consent.id), digestOf(outcome));
      } catch (error) {
        if (!(error instanceof Refusal) || !isFinal(error.code)) throw error;
        const refused = refusedBy(error, consent.id);
        return error.code === 'ExecutionIndeterminate'
          ? this.gate().settle(consent, refused)
          : this.settleAsEarlierRun(consent, jti, refused);
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
    refused: Outcome,
  ): Promise<Outcome> {
    const attempts = LOOK_FOR_MS / LOOK_EVERY_MS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const execution = await this.executionOf(jti);
      if (execution === undefined) return this.gate().settle(consent, refused);
      const { state, outcome } = execution;
      if (outcome !== undefined)
        return this.gate().settle(consent, outcomeOf(outcome, consent.id), digestOf(outcome));
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

function outcomeOf(outcome: ExecutionOutcome, consentId?: string): Outcome {
  const id = consentId === undefined ? {} : { consentId };
  return outcome.status === 'success'
    ? { kind: 'Success', result: outcome.result, ...id }
    : { kind: 'Failed', error: outcome.error, ...id };
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
