import { type Task, TaskState } from '@a2a-js/sdk';
import { type PursuitPorts, Pursuit } from './pursuit.js';
import { statusOf } from './task-state.js';
import { finishedTask } from '../translation/outcome.js';
import type { Work } from './work.js';

/** Every unfinished task of this process, each pursued exactly once however many ask about it. */
export class Pursuits {
  private readonly live = new Map<string, Pursuit>();

  constructor(private readonly ports: PursuitPorts) {}

  start(task: Pick<Task, 'id' | 'contextId' | 'status'>, work: Work): Pursuit {
    const known = this.live.get(task.id);
    if (known !== undefined) return known;
    const pursuit = new Pursuit(task, work, this.ports, () => this.live.delete(task.id));
    this.live.set(task.id, pursuit);
    return pursuit;
  }

  of(taskId: string): Pursuit | undefined {
    return this.live.get(taskId);
  }

  /**
   * After a restart: what waits for a person goes on waiting. What was under way without one may have run, and is never
   * run again.
   */
  resume(): void {
    for (const { task, work } of this.ports.store.unfinished()) {
      if (task.status?.state === TaskState.TASK_STATE_AUTH_REQUIRED && work !== undefined) {
        this.start(task, work);
        continue;
      }
      const { state, part } = finishedTask({
        kind: 'Refused',
        code: 'ExecutionIndeterminate',
        layer: 'bridge',
      });
      this.ports.store.move(task.id, statusOf(state, task, [part], this.ports.clock()));
    }
  }

  async close(): Promise<void> {
    const all = [...this.live.values()];
    for (const pursuit of all) pursuit.close();
    await Promise.all(all.map(({ done }) => done));
  }
}
