/** Several sources of actions as one. A command is the first's that has it. */
import type { JsonObject } from '../../src/contract/json.js';
import type { ExecuteRequest } from '../../src/contract/wire.js';
import type { ConsumedAction, OpenAction } from '../states.js';
import { TASK_TOOLS } from './task-tools.js';
import type { ActionOutcome, Actions, Sender } from './actions.js';

export class AllActions implements Actions {
  /** @param tasks absent if the example tasks are not offered */
  constructor(
    private readonly tasks: Actions | undefined,
    private readonly upstreams: Actions,
  ) {}

  async has(command: string): Promise<boolean> {
    return this.#of(command).has(command);
  }

  isChanged(command: string): boolean {
    return this.#of(command).isChanged(command);
  }

  checkInput(command: string, args: JsonObject): void {
    this.#of(command).checkInput(command, args);
  }

  async ready(request: ExecuteRequest, service: string): Promise<void> {
    await this.#of(request.command).ready(request, service);
  }

  run(action: ConsumedAction | OpenAction, sender: Sender): Promise<ActionOutcome> {
    return this.#of(action.command).run(action, sender);
  }

  #of(command: string): Actions {
    return this.tasks !== undefined && TASK_TOOLS.has(command) ? this.tasks : this.upstreams;
  }
}
