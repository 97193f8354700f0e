// Two-step runs a second from a filled queue with four worker processes, beside DBOS (the same two steps) and graphile-worker (bare jobs,
// unbatched) on the same PostgreSQL, which waits for the disk. Sides alternate; medians count.
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';
import { kitDone, openQueue } from './support/workers/kit-queue.mjs';
import { dbosDone, fillDbos, fillGraphile, graphileLeft, migrateGraphile } from './support/workers/peers.mjs';
import { query, withPostgres } from './support/workers/postgres-server.mjs';
import { withWorkers } from './support/workers/worker-group.mjs';
import { SLOTS, workerEnv, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const WORKERS = 4;
const ROUNDS = Number(process.env.KIT_BENCH_ROUNDS ?? 3);
const only = process.env.KIT_BENCH_SIDES?.split(',');
/** About ten seconds each. */
const KIT_RUNS = Number(process.env.KIT_BENCH_RUNS ?? 8000);
const DBOS_RUNS = 2000;
const GRAPHILE_JOBS = 12_000;
/** DBOS polls; of these intervals the one that did best in the first round counts from then on. */
const DBOS_POLL_MS = 100;
const LOOK_MS = 100;

await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    const [settings] = await query(server.url, "SELECT current_setting('fsync') || ', ' || current_setting('synchronous_commit') AS text");
    console.log(`PostgreSQL fsync, synchronous_commit: ${settings.text}; ${WORKERS} processes of ${SLOTS} slots a side; ${loadNow()}`);
    const sides = { kit: runKit, DBOS: runDbos, 'graphile-worker': runGraphile };
    const figures = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, side] of Object.entries(sides)) {
        if (only !== undefined && !only.includes(name)) continue;
        figures[name] = [...(figures[name] ?? []), await side({ directory, server, round })];
      }
    }
    for (const [name, rounds] of Object.entries(figures)) {
      const of = (key) => median(rounds.map((one) => one[key]));
      show(`${name}, a second`, `${of('rate').toFixed(0)}  (${rounds.map(({ rate }) => rate.toFixed(0)).join(', ')})`);
      show(`${name}, processor time each: workers, PostgreSQL`, `${ms(of('workerMs'))}, ${ms(of('serverMs'))}`);
    }
    const rateOf = (name) => median((figures[name] ?? []).map(({ rate }) => rate));
    const [dbos, graphile] = [rateOf('kit') / rateOf('DBOS'), rateOf('kit') / rateOf('graphile-worker')];
    if (only === undefined) {
      show('two-step runs beside DBOS', `${dbos.toFixed(1)}x`, { bar: '>= 8x', holds: dbos >= 8 });
      show('two-step runs beside unbatched graphile-worker jobs', `${graphile.toFixed(2)}x`, { bar: '>= 0.8x', holds: graphile >= 0.8 });
    }
    console.log(loadNow());
  }),
);

async function runKit({ directory, server, round }) {
  const queue = await openQueue(directory, await server.database(`kit_${round}`));
  await queue.submit('two', KIT_RUNS);
  try {
    return await measured(
      server,
      { program: 'kit-worker-process.mjs', args: [directory], env: workerEnv(directory, queue.url), nodeArgs: profileArgs() },
      async () => {
        const { done, bad, ms: tookMs } = await kitDone(queue);
        if (bad > 0) throw new Error(`${bad} runs did not complete`);
        return done < KIT_RUNS ? null : { count: done, tookMs };
      },
    );
  } finally {
    await queue.close();
  }
}

async function runDbos({ server, round }) {
  const url = await server.database(`dbos_${round}`);
  // The first process to launch makes the tables, and a queue.
  await withWorkers({ program: 'dbos-worker-process.mjs', count: 1, args: [url, String(DBOS_POLL_MS)] }, (workers) => workers.go());
  await fillDbos(url, DBOS_RUNS);
  return measured(server, { program: 'dbos-worker-process.mjs', args: [url, String(DBOS_POLL_MS)] }, async () => {
    const { done, ms: tookMs } = await dbosDone(url);
    return done < DBOS_RUNS ? null : { count: done, tookMs };
  });
}

async function runGraphile({ server, round }) {
  const url = await server.database(`graphile_${round}`);
  await migrateGraphile(url);
  await fillGraphile(url, GRAPHILE_JOBS);
  let startedMs = 0;
  return measured(server, { program: 'graphile-worker-process.mjs', args: [url, String(SLOTS)] }, async () => {
    const left = await graphileLeft(url);
    if (left < GRAPHILE_JOBS && startedMs === 0) startedMs = performance.now();
    return left > 0 ? null : { count: GRAPHILE_JOBS, tookMs: performance.now() - startedMs };
  });
}

/** What `look` finds at last; null = not yet. */
async function until(look) {
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** One side at work, from `go` until all is done; a rate, and the processor time of one unit. */
async function measured(server, processes, look) {
  await query(server.url, 'CHECKPOINT');
  return withWorkers({ count: WORKERS, ...processes }, async (workers) => {
    const serverBefore = server.cpuMs();
    const workersBefore = await workers.cpuMs();
    await workers.go();
    const { count, tookMs } = await until(look);
    return {
      rate: (count * 1000) / tookMs,
      workerMs: ((await workers.cpuMs()) - workersBefore) / count,
      serverMs: (server.cpuMs() - serverBefore) / count,
    };
  });
}

function profileArgs() {
  const dir = process.env.KIT_BENCH_PROFILE;
  return dir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${dir}`];
}
