import { type JsonObject, type RunSummary, toWireFigures, toWireJob } from '@kit-run/kit/command';

/** A line of `kit status --json`: the job, and what its events add up to. */
export const statusToWire = (run: RunSummary): JsonObject => ({ ...toWireJob(run.job), ...toWireFigures(run) });
