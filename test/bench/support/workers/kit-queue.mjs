import { rateOf, warmOf } from './at-work.mjs';
import { openWorkersApp } from './kit-app.mjs';
import { query } from './postgres-server.mjs';
import { workerEnv } from './workspace.mjs';

const { createSessionWork } = await import('../../../../src/app/runs/session-work.ts');
const { submitRun } = await import('../../../../src/app/submit/submit-run.ts');
const { runJob } = await import('../../../../src/worker/run-job.ts');
const { createClock } = await import('../../../../src/system/clock.ts');
const { createIds } = await import('../../../../src/system/ids.ts');
const { readWorkerHost } = await import('../../../../src/system/worker-host.ts');

const FILL_AT_ONCE = 1000;
const PROFILES = process.env.KIT_BENCH_PROFILE;

/**
 * The entry point of the bench: submits runs as every one does, and looks at what became of them.
 */
export async function openQueue(directory, url) {
  const app = openWorkersApp(directory, url);
  const [clock, host] = [createClock(), readWorkerHost()];
  const ids = createIds(host);
  const session = await app.session();
  const stores = await session.openStores();
  const work = createSessionWork({
    clock,
    ids,
    host,
    log: console,
    leaseMs: 60_000,
    defer: (fn) => void setImmediate(fn),
  });
  const requestOf = (topology) => ({
    topology,
    input: 'x',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'bench', assurance: 'authenticated' },
    source: 'api',
    timeoutMs: null,
    recover: 'auto',
    trust: [],
  });
  const submit = async (topology, count = 1) => {
    const request = requestOf(topology);
    const prepared = await work.prepare(session, request);
    const jobs = [];
    for (let left = count; left > 0; left -= FILL_AT_ONCE) {
      const some = Array.from({ length: Math.min(left, FILL_AT_ONCE) }, () =>
        submitRun({ stores, ids, clock }, { prepared, request }),
      );
      jobs.push(...(await Promise.all(some)));
    }
    return jobs;
  };
  const claim = () => work.claimFor(session)({ plugins: {}, adapters: {} });
  return {
    submit,
    stores,
    url,
    query: (text, values) => query(url, text, values),
    /** A claim of this process, of one job. */
    claim,
    giveBack: (job) => stores.jobs.release({ jobId: job.id, workerId: job.workerId, attempt: job.attempt }),
    /** Executes one run that waits, here. */
    runOne: async ({ id }) => {
      const [job] = await stores.jobs.claim({ ...(await claim()), jobId: id });
      await runJob(work.jobDeps(session, stores), job);
    },
    close: () => app.close(),
  };
}

/**
 * How many runs are over, and how many of them without success. By the index of the status: ten
 * times a second, a walk through runs that wait would cost the server more than they do.
 */
export const kitDone = async ({ query: ask }) => {
  const [row] = await ask(
    `SELECT count(*)::int AS done, count(*) FILTER (WHERE status <> 'completed')::int AS bad
     FROM kit.jobs WHERE status IN ('completed', 'failed', 'stopped')`,
  );
  return row;
};

/**
 * How many a second were over once the first `warm` were: what a process needs once (code, plans,
 * the first pages) is not a cost of a run.
 */
const kitPace = async ({ query: ask }, warm) => {
  const [{ rate }] = await ask(
    `WITH ended AS (
       SELECT extract(epoch FROM coalesce(completed_at, parked_at)::timestamptz) AS at,
         row_number() OVER (ORDER BY coalesce(completed_at, parked_at)) AS place
       FROM kit.jobs WHERE status IN ('completed', 'failed', 'stopped'))
     SELECT (count(*) FILTER (WHERE place > $1) / nullif(max(at) - max(at) FILTER (WHERE place = $1), 0))::float AS rate
     FROM ended`,
    [warm],
  );
  return rate;
};

/**
 * The built worker as `count` processes over the bench's workspace; with `KIT_BENCH_PROFILE` each
 * leaves its profile in that directory.
 */
export const kitWorkers = (directory, queue, count, nodeArgs = []) => ({
  program: 'kit-worker-process.mjs',
  count,
  args: [directory],
  env: workerEnv(directory, queue.url),
  nodeArgs: [...nodeArgs, ...(PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`])],
});

/** Fills the queue with `count` runs and works them off. */
export async function kitRate(server, { directory, queue, count, workers, topology = 'two' }) {
  const before = (await kitDone(queue)).done;
  await queue.submit(topology, count);
  return rateOf(server, { least: before + warmOf(count), ...kitWorkers(directory, queue, workers) }, async () => {
    const { done, bad } = await kitDone(queue);
    if (bad > 0) throw new Error(`${bad} runs did not complete`);
    return done < before + count ? { done } : { done, pace: () => kitPace(queue, before + warmOf(count)) };
  });
}
