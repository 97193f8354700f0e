import { issuesOf, type JsonObject, type RunStatus, toWireJob, toWireUsage } from '@kit-run/kit/command';

/** A line of `kit status --json`: the job, and what its events add up to. */
export function statusToWire({ job, view, wallMs }: RunStatus): JsonObject {
  return {
    ...toWireJob(job),
    wall_ms: wallMs,
    agents: view.order.length,
    model_calls: view.calls.model,
    tool_calls: view.calls.tools,
    issues: issuesOf(view),
    usage: toWireUsage(view.usage),
  };
}
