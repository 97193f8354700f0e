// argv: role (`drain`, `run` or `stop`), directory, milliseconds, number of jobs to start with, URL
// of a PostgreSQL or ''. One of three processes on one store.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { stopJob } from '../../src/app/stop-job.js';
import { submitRun } from '../../src/app/submit/submit-run.js';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { Job } from '../../src/domain/job.js';
import { ENGINE } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { runJob } from '../../src/worker/run-job.js';
import { crashFacilities, scriptExecutor } from './crash-facilities.js';
import { crashProvider } from './crash-model.js';
import { openCrashStores } from './crash-open.js';
import { pathsOf } from './crash-plan.js';
import { randomFrom, seed } from './crash-share.js';
import { watchCommits } from './crash-stores.js';
import { submission } from './crash-submission.js';
import { crashSnapshot } from './crash-topology.js';

const [role = '', dir = '', forMs = '1000', jobsAtOnce = '50', storeUrl = ''] = process.argv.slice(2);
const LEASE_MS = 60_000;
const paths = pathsOf(dir);
const clock = createClock();
const host = readWorkerHost();
const ids = createIds(host);
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const random = randomFrom(seed() + role.length);
const acked: string[] = [];
const ended: { readonly job: string; readonly kind: string }[] = [];
const open = (): Promise<Stores> =>
  openCrashStores({ url: storeUrl || null, stateDir: paths.state, clock, ids, faults: NO_FAULTS });

/** A model that thinks for a while: many runs are between two commits at any moment. */
const facilities = crashFacilities({
  workspaceRoot: paths.repository,
  tempRoot: paths.temp,
  provider: crashProvider(() => clock.sleep(5 + random() * 40)),
  executor: scriptExecutor(),
  env: {},
});

const isOver = (untilMs: number): boolean => performance.now() > untilMs;
const claim = (limit: number, jobId?: string) =>
  ({
    workerId: ids.workerId(),
    leaseMs: LEASE_MS,
    jobClass: 'any',
    engine: ENGINE,
    offers: { plugins: {}, adapters: {} },
    limit,
    host,
    ...(jobId === undefined ? {} : { jobId }),
  }) as const;

async function execute(stores: Stores, job: Job): Promise<void> {
  const result = await runJob(
    { stores, clock, log, leaseMs: LEASE_MS, defer: setImmediate, open: async () => facilities },
    job,
  );
  ended.push({ job: job.id, kind: result.kind === 'ended' ? result.end.status : result.kind });
}

/** Fifty jobs at once: what ends is replaced, until the time is over; then the rest ends. */
async function drain(stores: Stores, untilMs: number): Promise<void> {
  const snapshot = crashSnapshot('small');
  const lane = async (): Promise<void> => {
    while (!isOver(untilMs)) {
      await submitRun({ stores, ids, clock }, submission(snapshot, 'auto'));
      for (const job of await stores.jobs.claim(claim(1))) await execute(stores, job);
    }
  };
  await Promise.all(Array.from({ length: Number(jobsAtOnce) }, lane));
  for (let left = await stores.jobs.claim(claim(10)); left.length > 0; left = await stores.jobs.claim(claim(10))) {
    await Promise.all(left.map((job) => execute(stores, job)));
  }
}

/** Like `kit run`, one after the other: born claimed, executed here. */
async function run(stores: Stores, untilMs: number): Promise<void> {
  const submitted = submission(crashSnapshot('small'), 'manual');
  while (!isOver(untilMs))
    await execute(stores, await submitRun({ stores, ids, clock }, { ...submitted, claim: claim(1) }));
}

const tookMs: number[] = [];
const stops: { readonly job: string; readonly outcome: string }[] = [];

/**
 * Like `kit stop`, again and again: each opens the store, finds its run, asks for the stop and
 * closes.
 */
async function stop(untilMs: number): Promise<void> {
  while (!isOver(untilMs)) {
    const startedMs = performance.now();
    const stores = await open();
    const running = await stores.jobs.list({ status: ['running'], limit: 60 });
    const target = running[Math.floor(random() * running.length)];
    if (target !== undefined) {
      const { outcome, alreadyRequested } = await stopJob(
        { stores, ids, clock },
        { job: target.id.slice(0, 11), by: 'tester' },
      );
      tookMs.push(performance.now() - startedMs);
      if (!alreadyRequested) stops.push({ job: target.id, outcome });
    }
    await stores.close();
    await clock.sleep(20 + random() * 60);
  }
}

process.stdout.write('{"ready":true}\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const untilMs = performance.now() + Number(forMs);
if (role === 'stop') await stop(untilMs);
else {
  const opened = await open();
  const stores = watchCommits(opened, {
    onAcked: (writes) => void acked.push(...writes.flatMap((write) => write.events.map((event) => event.eventId))),
    onRefused: () => {},
  });
  await (role === 'drain' ? drain(stores, untilMs) : run(stores, untilMs));
  await opened.close();
}
delay.disable();
const loop = { p50Ms: delay.percentile(50) / 1e6, p99Ms: delay.percentile(99) / 1e6, maxMs: delay.max / 1e6 };
process.stdout.write(`${JSON.stringify({ acked, ended, stops, tookMs, loop })}\n`, () => process.exit(0));
