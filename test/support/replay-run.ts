import type { Job } from '../../src/domain/job.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { RunSnapshot } from '../../src/domain/snapshot.js';
import { JournalSession } from '../../src/engine/journal-session.js';
import type { RunOutcome } from '../../src/engine/judge-run.js';
import { interpretRun } from '../../src/engine/run.js';
import { Steps } from '../../src/engine/steps.js';
import type { RunFacilities } from '../../src/worker/facilities.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/**
 * Replay law (docs/design/journal.md#replay): every recorded run gives the same result without one
 * write, one call or one event.
 */
export async function replayRun(of: {
  stores: Stores;
  snapshot: RunSnapshot;
  facilities: RunFacilities;
  job: Job;
}): Promise<RunOutcome> {
  const { stores, snapshot, facilities, job } = of;
  const scope = new AbortController();
  const refuse = (what: string) => (): never => {
    throw new Error(`a replay must not ${what}`);
  };
  const session = new JournalSession({
    rows: await stores.runs.load(job.id),
    commit: refuse('write'),
    onBroken: refuse('lose its journal'),
    defer: setImmediate,
  });
  const steps = new Steps({
    jobId: job.id,
    topologyId: job.topology,
    session,
    now: () => 0,
    signal: scope.signal,
    mask: (value) => value,
    breach: refuse('check limits'),
    effects: 'forbid',
  });
  // A run that was cut off has a frontier: there the replay waits, and is released when nothing
  // moves any more.
  const release = setTimeout(() => scope.abort(), 300);
  return interpretRun(
    {
      ...facilities,
      jobId: job.id,
      correlationId: job.correlationId,
      traceParent: job.traceParent,
      roles: refuse('read roles'),
      reviews: { state: refuse('read decisions') },
      artifacts: { put: refuse('store an artifact'), read: refuse('read an artifact') },
      snapshot,
      attachments: job.attachments,
      steps,
      clock: { now: () => 0, sleep: refuse('wait') },
      log: silent,
      signal: scope.signal,
      abort: () => scope.abort(),
      stopRequested: async () => false,
      lease: { until: () => 0, onRenew: () => () => {} },
      blob: refuse('read a blob'),
      provider: refuse('open a provider'),
      executor: refuse('open an executor'),
      decide: refuse('ask governance'),
      processes: { spawn: refuse('start a process') },
      worktrees: { create: refuse('make a worktree'), reopen: refuse('open a worktree') },
    },
    job.input,
  ).finally(() => clearTimeout(release));
}
