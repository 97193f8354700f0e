import type { Job } from '../domain/job.js';
import type { Log } from '../domain/ports/system.js';
import { clockWarning, storeAheadMs } from '../lib/clock-off.js';
import { Claim } from './claim.js';
import { fenceOf } from './fence-of.js';
import { type Claimed, openClaim } from './open-claim.js';
import type { RunJobDeps, RunJobResult } from './run-job-deps.js';
import type { RunJobOptions } from './run-job-options.js';
import { writeEnd } from './write-end.js';

/** Who has been warned: a busy worker says it once. */
const warned = new WeakSet<Log>();

function warnOfClock(log: Log, aheadMs: number): void {
  const warning = clockWarning(aheadMs);
  if (warning === null || warned.has(log)) return;
  warned.add(log);
  log.warn(warning, {});
}

/** One claim of one job, from its row to its end: the one run pipeline, whoever claimed it. */
export function runJob(deps: RunJobDeps, job: Job, options: RunJobOptions = {}): Promise<RunJobResult> {
  const work = () => execute(deps, job, options);
  return deps.hold === undefined ? work() : deps.hold(work);
}

async function execute(deps: RunJobDeps, job: Job, options: RunJobOptions): Promise<RunJobResult> {
  const fence = fenceOf(job);
  const answeredAtMs = deps.clock.now();
  const askedAtMs = options.askedAtMs ?? answeredAtMs;
  // Who does not say when the claim was asked for cannot say how the clocks differ.
  const aheadMs = options.askedAtMs === undefined ? 0 : storeAheadMs(job.claimedAt, { askedAtMs, answeredAtMs });
  warnOfClock(deps.log, aheadMs);
  const storeNow = (): number => deps.clock.now() + aheadMs;
  const opened = await openClaim({ ...deps, storeNow }, job);
  if (opened.kind === 'declined') {
    await deps.stores.jobs.release(fence);
    return { kind: 'released' };
  }
  if (opened.kind === 'refused')
    return writeEnd(
      { log: deps.log, commit: (write) => deps.stores.runs.commit(fence, [write]) },
      { job, end: opened.end },
    );
  const { facilities } = opened;
  try {
    let claimed: Claimed = { job, fence, leaseAtMs: askedAtMs, storeNow, ...opened };
    for (;;) {
      const claim = new Claim(deps, claimed);
      const result = await claim.run(options);
      if (result.kind !== 'lapsed') return result;
      const row = await deps.stores.jobs.get(job.id);
      claimed = { ...claimed, leaseAtMs: claim.leaseAtMs, job: row ?? job, rows: await deps.stores.runs.load(job.id) };
    }
  } finally {
    await facilities.dispose();
  }
}
