import type { RunServices, TaskScope } from './services.js';

/** A failure inside ends nothing beside it. */
export const withoutAbort = (services: RunServices): RunServices => ({ ...services, abort: () => undefined });

/** Ends with one signal more; what that one cuts off is for the caller to answer. */
export const withSignal = (services: RunServices, signal: AbortSignal): RunServices => ({
  ...services,
  signal: AbortSignal.any([services.signal, signal]),
});

/** Inside an activation that has a place of its own, given back while it waits for others. */
export const withPlace = (services: RunServices, releaseWhile: ReleaseWhile): RunServices => ({
  ...services,
  task: { outer: services, releaseWhile },
});

type ReleaseWhile = NonNullable<TaskScope['task']>['releaseWhile'];

/** Inside the working time of an activation: what it cuts off is recorded by these steps. */
export const withWorkingTime = (services: RunServices, time: Pick<TaskScope, 'signal' | 'steps'>): RunServices => ({
  ...services,
  ...time,
});

/** Waits for others without the place and the time of the task that waits. */
export const outOfPlace = <T>({ task }: Pick<TaskScope, 'task'>, wait: () => Promise<T>): Promise<T> =>
  task === undefined ? wait() : task.releaseWhile(wait);

/** Without the place and the working time of the activation that they were handed to. */
export const outsideTask = (services: RunServices): RunServices => services.task?.outer ?? services;
