import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { GapSettings, TaskBounds } from '../../domain/linked-topology.js';
import { flagAt, numberAt, objectAt, objectIn } from '../read.js';

/**
 * `runtime.max_concurrent_tasks` and `runtime.task_timeout_seconds`; null where neither is written.
 */
export function linkTasks(topology: JsonObject): TaskBounds | null {
  const runtime = objectAt(topology, 'runtime');
  const maxConcurrent = numberAt(runtime, 'max_concurrent_tasks');
  const seconds = numberAt(runtime, 'task_timeout_seconds');
  return maxConcurrent === null && seconds === null
    ? null
    : { maxConcurrent, timeoutMs: seconds === null ? null : seconds * 1000 };
}

/** `artifacts.skill_gap_logging` with its defaults. */
export function linkGaps(topology: JsonObject): GapSettings {
  const block = objectIn(topology, 'artifacts', 'skill_gap_logging');
  const { enabled, surface_threshold } = DEFAULTS['TopologyArtifacts.skill_gap_logging'];
  return {
    enabled: flagAt(block, 'enabled') ?? enabled,
    surfaceThreshold: numberAt(block, 'surface_threshold') ?? surface_threshold,
  };
}
