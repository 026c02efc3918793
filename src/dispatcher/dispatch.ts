import { createHash } from 'node:crypto';
import type { ResourceServerClient } from '../clients/rs-client.js';
import { canonicalJson } from '../contract/canonical.js';
import { Refusal } from '../contract/errors.js';
import type { ExecutionOutcome } from '../contract/wire.js';
import type { AppendRecord } from '../store/record.js';
import type { Catalogue, OfferedTool } from './catalogue.js';
import type { Approved, Gate, Patience } from './gate.js';
import { isFinal } from './next-step.js';
import { type Outcome, refusedBy } from './outcome.js';
import type { ToolCall } from './proposal.js';
import { SharedFlights } from './shared-flights.js';

export interface DispatcherPorts {
  readonly catalogue: Catalogue;
  /** Absent when no gate is wired: the surface is then read-only. */
  readonly gate: Gate | undefined;
  readonly rs: ResourceServerClient;
  readonly record: AppendRecord;
}

/** How often a run that another request started is looked at, and for how long, milliseconds. */
const LOOK_EVERY_MS = 250;
const LOOK_FOR_MS = 20_000;

/** Scopes first, then the gate, then pass-through. Layer 2: nothing here can alter what was minted. */
export class Dispatcher {
  private readonly running = new SharedFlights<Outcome>();

  constructor(private readonly ports: DispatcherPorts) {}

  /** One call, taken as far as it goes now. Never throws a Refusal: every refusal is an outcome. */
  async dispatch(call: ToolCall, patience: Patience): Promise<Outcome> {
    try {
      const tool = await this.ports.catalogue.find(call.tool);
      const unauthorized = this.missingScopes(call, tool);
      if (unauthorized !== undefined) return unauthorized;
      tool.checkArgs(call.args);
      if (!tool.policy.gated) return await this.runOpen(call);
      const approval = await this.gate().approvalFor(call, tool.policy, tool.definition, patience);
      return approval.kind === 'Approved' ? await this.passThrough(call, approval) : approval;
    } catch (error) {
      const refused = refusedBy(error);
      const { subject, client_id } = call.caller;
      const { code, layer } = refused;
      this.ports.record('call.refused', { tool: call.tool, subject, client_id, code, layer });
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
      return refusedBy(error, consentId);
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
        if (error.code !== 'CredentialReplay')
          return this.gate().settle(consent, refusedBy(error, consent.id));
        return this.outcomeOfEarlierRun(call, {
          kind: 'Approved',
          consent,
          credential,
          jti,
          signed,
        });
      }
    });
  }

  /** The credential was presented before, by a request whose answer was lost: what became of it is the answer. */
  private async outcomeOfEarlierRun(call: ToolCall, { consent, jti }: Approved): Promise<Outcome> {
    const attempts = LOOK_FOR_MS / LOOK_EVERY_MS;
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const { state, outcome } = await this.ports.rs.execution(jti);
      if (outcome !== undefined)
        return this.gate().settle(consent, outcomeOf(outcome, consent.id), digestOf(outcome));
      if (state === 'indeterminate') {
        const refused: Outcome = {
          kind: 'Refused',
          code: 'ExecutionIndeterminate',
          layer: 'rs',
          consentId: consent.id,
        };
        return this.gate().settle(consent, refused);
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    throw new Refusal('Unavailable', 'rs', { detail: `${call.tool} is still running` });
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

/** Base64url SHA-256 of the outcome's RFC 8785 text: what the record keeps instead of the outcome. */
function digestOf(outcome: ExecutionOutcome): string {
  const said = outcome.status === 'success' ? outcome.result : outcome.error;
  return createHash('sha256')
    .update(canonicalJson(said, 2, 'bridge'))
    .digest('base64url');
}
