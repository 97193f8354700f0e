import { type JsonObject, type RunSummary, toWireJob, toWireUsage } from '@kit-run/kit/command';

/** A line of `kit status --json`: the job, and what its events add up to. */
export function statusToWire({ job, figures, outage, wallMs }: RunSummary): JsonObject {
  return {
    ...toWireJob(job),
    wall_ms: wallMs,
    agents: figures.agents,
    model_calls: figures.modelCalls,
    tool_calls: figures.toolCalls,
    issues: figures.issues,
    outage,
    usage: toWireUsage(figures.usage),
  };
}
