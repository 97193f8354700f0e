// argv: a CrashPlan as JSON. Submits the reference run, or goes on with it, through the use cases
// of the app, and dies as planned.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { resumeRun } from '../../src/app/runs/resume-run.js';
import { createChildRuns } from '../../src/app/submit/child-runs.js';
import { submitRun } from '../../src/app/submit/submit-run.js';
import { isKitError } from '../../src/domain/errors.js';
import { isTerminal, type Job } from '../../src/domain/job.js';
import { ENGINE, type RunWrite } from '../../src/domain/journal.js';
import type { RunSnapshot } from '../../src/domain/snapshot.js';
import { countHits } from '../../src/lib/count-hits.js';
import { loadJsonSchemas } from '../../src/lib/json-schema.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { readWorkerHost } from '../../src/system/worker-host.js';
import { runJob } from '../../src/worker/run-job.js';
import { Slots } from '../../src/worker/slots.js';
import { decodeSnapshot } from '../../src/worker/snapshot.js';
import { WorkLoop } from '../../src/worker/work-loop.js';
import { askingExecutor } from './crash-asking.js';
import { windowed } from './crash-context.js';
import { crashFacilities, reportEffect, SESSIONS, scriptExecutor } from './crash-facilities.js';
import { crashProvider } from './crash-model.js';
import { openCrashStores } from './crash-open.js';
import { downProvider, isAsleep, lastOfLine, patientOf, retryOnce } from './crash-outages.js';
import { decideAll } from './crash-people.js';
import { type CrashPlan, type ProcessReport, pathsOf } from './crash-plan.js';
import { mutate, watchCommits } from './crash-stores.js';
import { submission } from './crash-submission.js';
import { CRASH_ROLES, crashSnapshot } from './crash-topology.js';
import { replayRun } from './replay-run.js';

// The parent of this process is the only writer of the argument.
const plan = JSON.parse(process.argv[2] ?? '{}') as CrashPlan;
const paths = pathsOf(plan.dir);
const append = (file: string, line: string): void => appendFileSync(file, `${line}\n`);

const faults = countHits((name, nth) => {
  append(paths.hits, `${process.pid} ${name} ${nth}`);
  if (isAt(plan.dieAt, name, nth)) die();
  if (isAt(plan.pauseAt, name, nth)) process.kill(process.pid, 'SIGSTOP');
});

function isAt(point: CrashPlan['dieAt'], name: string, nth: number): boolean {
  return point !== undefined && point.name === name && point.nth === nth;
}

/** The signal is on its way: not one more statement. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

let refused = 0;
const isWrite = (planned: CrashPlan['dieAfter'], write: RunWrite): boolean =>
  planned !== undefined && 'key' in write && planned.op === write.op && planned.key === write.key;
/** As the looker from outside names the steps of several runs. */
const keyOf = (jobId: string, key: string): string => (jobId === plan.jobId ? key : `${jobId}:${key}`);
const watch = {
  onCommit(writes: readonly RunWrite[]): void {
    if (writes.some((write) => isWrite(plan.dieBefore, write))) die();
  },
  onAcked(writes: readonly RunWrite[], jobId: string): void {
    for (const write of writes) {
      for (const event of write.events) append(paths.acks, `${process.pid} event ${event.eventId}`);
      if (write.op === 'step.ended') append(paths.acks, `${process.pid} ended ${keyOf(jobId, write.key)}`);
      if (isWrite(plan.dieAfter, write)) die();
    }
  },
  onRefused(error: unknown): void {
    if (isKitError(error) && error.code === 'KIT_LEASE_LOST') refused += 1;
  },
};

/** Counted from outside, then held or killed, as planned. */
async function begin(stepId: string, name: string): Promise<void> {
  reportEffect(paths.effects, { stepId, name });
  if (plan.killIn === name) die();
  if (plan.holdIn?.includes(name) !== true) return;
  append(paths.held, `${process.pid} ${name}`);
  while (!existsSync(paths.go)) await clock.sleep(10);
}

const clock = createClock();
const here = readWorkerHost();
const host = plan.elsewhere === true ? { ...here, hostname: 'elsewhere', bootId: 'another' } : here;
const ids = { ...createIds(host), jobId: () => plan.jobId };
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const opened = await openCrashStores({ url: plan.storeUrl, stateDir: paths.state, clock, ids, faults });
const stores = watchCommits(plan.mutant === undefined ? opened : mutate(opened, plan.mutant), watch);
const snapshot = patientOf(plan, crashSnapshot(plan.scenario));
const facilities = crashFacilities({
  workspaceRoot: paths.repository,
  tempRoot: paths.temp,
  provider: windowed(plan, downProvider(plan, crashProvider(begin))),
  executor: plan.scenario.startsWith('asking') ? await askingExecutor() : scriptExecutor(SESSIONS[plan.scenario]),
  roles: CRASH_ROLES,
  env: {
    CRASH_EFFECTS: paths.effects,
    CRASH_GO: paths.go,
    CRASH_WORKER: String(process.pid),
    CRASH_KILL_IN: plan.killIn ?? '',
    CRASH_MARK: plan.mark,
  },
});
const claim = {
  workerId: ids.workerId(),
  leaseMs: plan.leaseMs,
  jobClass: 'any',
  engine: ENGINE,
  offers: { plugins: {}, adapters: {} },
  limit: 1,
  host,
} as const;
/** What the runs that a run asks for take of this process. */
const below = {
  stores: async () => stores,
  ...{ ids, clock, host },
  prepare: {
    plugins: { find: () => null, report: () => [] },
    schemas: loadJsonSchemas,
    findReferences: async () => [],
    labels: { organisation: null, team: null, annotations: {} },
  },
};
const open = async (job: Job, frozen: RunSnapshot) => ({
  ...facilities,
  children: createChildRuns(below, { job, snapshot: frozen }),
});
const deps = { stores, clock, ids, log, leaseMs: plan.leaseMs, defer: setImmediate, open };

async function start(): Promise<Job | null> {
  const submitted = submission(snapshot, plan.recover);
  if (plan.recover === 'manual') return submitRun(deps, { ...submitted, claim });
  await submitRun(deps, submitted);
  return takeUp();
}

/** Like a worker: sweep, then claim what may be claimed. */
async function takeUp(): Promise<Job | null> {
  await stores.jobs.sweep(host);
  const [job] = await stores.jobs.claim(claim);
  return job ?? null;
}

const parts = { ...deps, host, claimFor: async () => claim, assertApproved: async () => undefined };

/** What can be claimed; a run that waits for what is down is waited for. */
async function next(): Promise<Job | null> {
  for (;;) {
    const job = await takeUp();
    if (job !== null || plan.scenario !== 'outage' || !isAsleep(await lastOfLine(stores, plan))) return job;
    await clock.sleep(20);
  }
}

/** What a person or a worker does after a crash; a run that never came to be is submitted again. */
async function goOn(): Promise<Job | null> {
  const known = await lastOfLine(stores, plan);
  if (known === null) return start();
  if (plan.recover === 'auto') return takeUp();
  if (plan.scenario === 'retried' && known.status === 'failed') return retryOnce(parts, plan.jobId);
  try {
    return await resumeRun(parts, { job: known.id, topology: null, by: 'tester' });
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_JOB_NOT_RESUMABLE') return null;
    throw error;
  }
}

/**
 * Executes claims of the run until it has ended; where it parks, the people of `crash-people.ts`
 * decide, and it is claimed again.
 */
async function execute(first: Job | null): Promise<'lost' | 'over'> {
  // As `kit run` does it, or as a worker.
  const rests = plan.recover === 'manual';
  for (let job = first ?? (await next()); job !== null; job = await next()) {
    const result = await runJob(deps, job, { rests });
    if (result.kind === 'lost') return 'lost';
    if (plan.scenario === 'retried' && result.kind === 'ended' && result.end.status === 'failed')
      return execute(await retryOnce(parts, plan.jobId));
    if (result.kind === 'parked') await decideAll(stores.reviews, plan.jobId);
  }
  return 'over';
}

/** A worker of its own with the loop of every worker; it is up before the run begins. */
async function standBy(): Promise<boolean> {
  const slots = new Slots(1);
  const loop = new WorkLoop({
    ...deps,
    host,
    slots,
    leaseMs: () => plan.leaseMs,
    claim: () => ({ ...claim, offersFor: async () => claim.offers }),
    jobDeps: () => deps,
    afterRun: () => decideAll(stores.reviews, plan.jobId),
    fireDue: async () => undefined,
    recoverAll: () => false,
  });
  append(paths.held, `${process.pid} standby`);
  while (!existsSync(paths.standby)) await clock.sleep(10);
  await loop.start();
  let claimed = false;
  for (
    let row = await stores.jobs.get(plan.jobId);
    row === null || !isTerminal(row.status);
    row = await stores.jobs.get(plan.jobId)
  ) {
    claimed ||= slots.active > 0;
    await clock.sleep(20);
  }
  await loop.drain(0);
  return claimed;
}

async function work(): Promise<'lost' | 'over' | 'nothing'> {
  if (plan.entry === 'standby') return (await standBy()) ? 'over' : 'nothing';
  const job = plan.entry === 'start' ? await start() : await goOn();
  const known = await lastOfLine(stores, plan);
  // One that waits for a run that it has asked for is nobody's until that one has come to rest.
  const waits = isAsleep(known);
  const isToDo = job !== null || waits || known?.status === 'pending' || known?.status === 'queued';
  return isToDo ? execute(job) : 'nothing';
}

async function report(): Promise<ProcessReport> {
  const worked = await work();
  if (worked === 'lost') return { kind: 'lost', refused };
  const row = await lastOfLine(stores, plan);
  if (row === null) throw new Error('the run has no row');
  const replayed = await replayRun({ stores, snapshot: await decodeSnapshot(stores.blobs, row), facilities, job: row });
  return {
    kind: 'ended',
    jobId: row.id,
    claimed: worked !== 'nothing',
    status: row.status,
    reason: row.reason,
    output: row.output,
    usage: row.usage,
    diffs: await stores.jobs.diffs(row.id),
    replayed,
  };
}

const reported = await report();
await stores.close();
writeFileSync(1, `${JSON.stringify(reported)}\n`);
process.exit(0);
