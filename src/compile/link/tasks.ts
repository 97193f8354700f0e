import type { Topology } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { GapSettings, TaskBounds } from '../../domain/linked-topology.js';

/**
 * `runtime.max_concurrent_tasks` and `runtime.task_timeout_seconds`; null where neither is written.
 */
export function linkTasks({ runtime = {} }: Topology): TaskBounds | null {
  const { max_concurrent_tasks: maxConcurrent = null, task_timeout_seconds: seconds = null } = runtime;
  return maxConcurrent === null && seconds === null
    ? null
    : { maxConcurrent, timeoutMs: seconds === null ? null : seconds * 1000 };
}

/** `artifacts.skill_gap_logging` with its defaults. */
export function linkGaps({ artifacts }: Topology): GapSettings {
  const block = { ...DEFAULTS['TopologyArtifacts.skill_gap_logging'], ...artifacts?.skill_gap_logging };
  return { enabled: block.enabled, surfaceThreshold: block.surface_threshold };
}
