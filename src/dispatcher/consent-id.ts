import { createHmac } from 'node:crypto';
import type { Caller } from '../contract/wire.js';
import type { Hop } from './proposal.js';

export interface IdentifiedCall {
  readonly caller: Pick<Caller, 'subject' | 'client_id'>;
  readonly tool: string;
  /** RFC 8785 text of the arguments. */
  readonly canonicalArgs: string;
  /** The agents it came through: the same action asked through others is another call. */
  readonly chain?: readonly Pick<Hop, 'agent'>[];
}

/**
 * Names derived from a call with the gate key (32 octets): nobody without the key can guess one, and an identical
 * retry finds its own consent without the client echoing anything.
 */
export class ConsentIds {
  constructor(private readonly gateKey: Buffer) {
    if (gateKey.length !== 32) throw new Error('the gate key must be 32 octets');
  }

  /** Identifies the call itself, whatever its generation. */
  lookup(call: IdentifiedCall): string {
    return this.derive('lookup', ...parts(call));
  }

  /** The consent id: the call and how often it has been asked before. 43 base64url characters. */
  consent(call: IdentifiedCall, generation: number): string {
    return this.derive('consent', ...parts(call), String(generation));
  }

  /** The idempotency id under which this consent is minted; the same after a crash, unknown to anyone without the key. */
  mint(consentId: string): string {
    return this.derive('mint', consentId);
  }

  private derive(...labels: string[]): string {
    const mac = createHmac('sha256', this.gateKey);
    for (const label of labels) {
      const octets = Buffer.from(label, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(octets.length);
      mac.update(length).update(octets);
    }
    return mac.digest('base64url');
  }
}

function parts(call: IdentifiedCall): string[] {
  const chain = (call.chain ?? []).map(({ agent }) => agent);
  return [call.caller.subject, call.caller.client_id, call.tool, call.canonicalArgs, ...chain];
}
