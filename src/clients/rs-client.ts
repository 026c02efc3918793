import type {
  ExecuteRequest,
  ExecutionOutcome,
  ExecutionState,
  Surface,
} from '../contract/wire.js';
import { executionOutcome, executionState, surface } from '../contract/wire.js';
import { decode } from './decode.js';
import type { ServiceClient } from './service-client.js';

/** How long a tool may run before the bridge stops waiting for it, in milliseconds. The run itself goes on. */
const RUN_TIMEOUT_MS = 120_000;

export class ResourceServerClient {
  constructor(private readonly service: ServiceClient) {}

  /** What the resource server can run and show. @throws Refusal `Unavailable`, `Unauthenticated` */
  async surface(): Promise<Surface> {
    const answer = await this.service.request({ method: 'GET', path: '/v1/surface' });
    return decode(surface, answer, 'rs');
  }

  /** Runs one command. The credential passes through unread. @throws Refusal of the resource server, or `Unavailable` */
  async execute(request: ExecuteRequest): Promise<ExecutionOutcome> {
    const answer = await this.service.request({
      method: 'POST',
      path: '/v1/execute',
      json: request,
      timeoutMs: RUN_TIMEOUT_MS,
    });
    return decode(executionOutcome, answer, 'rs');
  }

  /** What became of a credential. @throws Refusal `NotFound` if it was never presented, `Unavailable` */
  async execution(jti: string): Promise<ExecutionState> {
    const path = `/v1/executions/${encodeURIComponent(jti)}`;
    return decode(executionState, await this.service.request({ method: 'GET', path }), 'rs');
  }
}
