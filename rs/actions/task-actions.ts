/** The task tracker behind the resource server: reachable only with a ConsumedAction or an OpenAction. */
import type { JsonObject } from '../../src/contract/json.js';
import type { ConsumedAction, OpenAction } from '../states.js';
import type { ActionOutcome, Actions } from './actions.js';
import type { TaskStore } from './task-store.js';
import { TASK_TOOLS } from './task-tools.js';
import { checkTaskInput, runTask } from './tasks.js';

export class TaskActions implements Actions {
  constructor(private readonly store: TaskStore) {}

  has(command: string): Promise<boolean> {
    return Promise.resolve(TASK_TOOLS.has(command));
  }

  isChanged(): boolean {
    return false;
  }

  checkInput(command: string, args: JsonObject): void {
    checkTaskInput(command, args);
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  run(action: ConsumedAction | OpenAction): Promise<ActionOutcome> {
    return new Promise((resolve) => resolve(runTask(this.store, action.command, action.args)));
  }
}
