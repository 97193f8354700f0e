import type { TaskBounds } from '../../domain/linked-topology.js';
import { withPlace, withWorkingTime } from '../scopes.js';
import type { RunServices } from '../services.js';
import { StepFailure } from '../step-failure.js';
import { BoundedSteps, TASK_TIMEOUT } from './bounded-steps.js';
import { Task } from './task.js';
import type { TaskSlots } from './task-slots.js';

export interface Bounded {
  readonly agentId: string;
  readonly bounds: TaskBounds;
  readonly slots: TaskSlots;
}

/**
 * Runs an activation in a place of its run and within its working time. What its time cuts off is
 * recorded as `task_timeout`: the step that was under way, and the activation. Agents below it have
 * places and times of their own.
 */
export async function boundedTask<T>(
  services: RunServices,
  { agentId, bounds, slots }: Bounded,
  run: (within: RunServices) => Promise<T>,
): Promise<T> {
  const { clock, signal, steps } = services;
  const task = new Task({ slots, clock, signal, timeoutMs: bounds.timeoutMs });
  const within = withPlace(services, (wait) => task.releaseWhile(wait));
  await task.begin();
  try {
    if (bounds.timeoutMs === null) return await run(within);
    const scope = AbortSignal.any([signal, task.late]);
    const failure = new StepFailure(
      TASK_TIMEOUT,
      `${agentId} worked longer than the ${bounds.timeoutMs / 1000} s of runtime.task_timeout_seconds`,
    );
    const cutOff = (): StepFailure | null => (task.late.aborted && !signal.aborted ? failure : null);
    const timed = new BoundedSteps({ ...steps.deps, signal: scope, cutOff });
    return await run(withWorkingTime(within, { signal: scope, steps: timed }));
  } finally {
    task.end();
  }
}
