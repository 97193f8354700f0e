import type { RunRecord } from '../app/doctor/crash/compare-runs.js';
import type { Stores } from '../domain/ports/stores.js';
import { CRASH_JOB } from './crash-plan.js';

/** Events of the built-in run; it has fewer. */
const PAGE = 1000;

/** What is durable of the built-in run in a store; null where there is none. */
export async function crashRecordOf({ jobs, runs, events, reviews }: Stores): Promise<RunRecord | null> {
  const job = await jobs.get(CRASH_JOB);
  if (job === null) return null;
  const [steps, log, state] = [
    await runs.load(CRASH_JOB),
    await events.readRun(CRASH_JOB, 0, PAGE),
    await reviews.state(CRASH_JOB),
  ];
  const decisions = (state?.decisions ?? []).map(({ itemId, identity, outcome, sha256 }) =>
    [itemId, identity, outcome, sha256].join(' '),
  );
  return { status: job.status, reason: job.reason, output: job.output, steps, events: log, decisions };
}
