import type { JsonObject } from '../../domain/json.js';
import type { TaskBounds } from '../../domain/workspace.js';
import { numberAt, objectAt } from '../read.js';

/** `runtime.max_concurrent_tasks` and `runtime.task_timeout_seconds`; null where neither is written. */
export function linkTasks(topology: JsonObject): TaskBounds | null {
  const runtime = objectAt(topology, 'runtime');
  const maxConcurrent = numberAt(runtime, 'max_concurrent_tasks');
  const seconds = numberAt(runtime, 'task_timeout_seconds');
  return maxConcurrent === null && seconds === null ? null : { maxConcurrent, timeoutMs: seconds === null ? null : seconds * 1000 };
}
