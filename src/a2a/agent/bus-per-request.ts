import {
  DefaultExecutionEventBus,
  type ExecutionEventBus,
  type ExecutionEventBusManager,
} from '@a2a-js/sdk/server';
import type { Pursuits } from './pursuits.js';

/**
 * A bus of its own for every request. On a shared one, the task event that must open a second request's stream would
 * break the first one's ("stream ordering violation"); here both follow the same pursuit and hear the same of it.
 */
export class BusPerRequest implements ExecutionEventBusManager {
  constructor(private readonly pursuits: Pursuits) {}

  createOrGetByTaskId(): ExecutionEventBus {
    return new DefaultExecutionEventBus();
  }

  /** For a subscription or a cancellation: a bus that hears what happens from now on, while anything still can. */
  getByTaskId(taskId: string): ExecutionEventBus | undefined {
    const pursuit = this.pursuits.of(taskId);
    if (pursuit === undefined) return undefined;
    const bus = new DefaultExecutionEventBus();
    pursuit.follow(bus);
    return bus;
  }

  cleanupByTaskId(): void {
    // A bus belongs to its request and goes with it.
  }

  settleByTaskId(_taskId: string, bus: ExecutionEventBus): boolean {
    bus.finished();
    return true;
  }
}
