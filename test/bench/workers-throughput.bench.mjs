// Runs of two model calls that answer at once, from a filled queue, four processes of 50 slots,
// built package, on a PostgreSQL that waits for the disk (`fsync`, `synchronous_commit`). Such a
// run is one agent whose first answer does not fit its schema, so that it is asked once more: an
// activation and two model calls in the journal, eight events in the log. Beside it DBOS: workflows
// of two steps that do nothing, four processes with an executor id each, no limit on concurrency,
// queue polled every 100 ms; and graphile-worker: jobs that do nothing, four processes of 50,
// nothing batched (its default). Sides alternate, medians count; the first fifth of what a side
// does is left out, so that loading code counts for nobody. The processor time of one unit in a
// side's own processes and in PostgreSQL says more than the rates on a loaded machine.
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';
import { rateOf as measured, warmOf } from './support/workers/at-work.mjs';
import { kitRate, openQueue } from './support/workers/kit-queue.mjs';
import { dbosDone, dbosPace, fillDbos, fillGraphile, graphileLeft, migrateGraphile } from './support/workers/peers.mjs';
import { query, withPostgres } from './support/workers/postgres-server.mjs';
import { withWorkers } from './support/workers/worker-group.mjs';
import { SLOTS, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const WORKERS = 4;
const ROUNDS = Number(process.env.KIT_BENCH_ROUNDS ?? 3);
const only = process.env.KIT_BENCH_SIDES?.split(',');
/** About five seconds each at rest. */
const KIT_RUNS = 5000;
const DBOS_RUNS = 1500;
const GRAPHILE_JOBS = 8000;
/** DBOS polls its queue. Its default of a second leaves it idle between two looks. */
const DBOS_POLL_MS = 100;

await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    const [settings] = await query(
      server.url,
      "SELECT current_setting('fsync') || ', ' || current_setting('synchronous_commit') AS text",
    );
    console.log(
      `PostgreSQL fsync, synchronous_commit: ${settings.text}; ${WORKERS} processes of ${SLOTS} slots a side; ${loadNow()}`,
    );
    const sides = { kit: runKit, DBOS: runDbos, 'graphile-worker': runGraphile };
    const figures = {};
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, side] of Object.entries(sides)) {
        if (only !== undefined && !only.includes(name)) continue;
        const one = await side({ directory, server, round });
        figures[name] = [...(figures[name] ?? []), one];
        console.log(`round ${round + 1}: ${name} ${one.rate.toFixed(0)}/s, ${loadNow()}`);
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
      show('two-step runs beside DBOS', `${dbos.toFixed(1)}x`, { bar: '>= 1x', holds: dbos >= 1 });
      show('two-step runs beside unbatched graphile-worker jobs', `${graphile.toFixed(2)}x`, {
        bar: '>= 0.8x',
        holds: graphile >= 0.8,
      });
    }
    console.log(loadNow());
  }),
);

async function runKit({ directory, server, round }) {
  const queue = await openQueue(directory, await server.database(`kit_${round}`));
  try {
    return await kitRate(server, { directory, queue, count: KIT_RUNS, workers: WORKERS });
  } finally {
    await queue.close();
  }
}

async function runDbos({ server, round }) {
  const url = await server.database(`dbos_${round}`);
  const processes = {
    count: WORKERS,
    least: warmOf(DBOS_RUNS),
    program: 'dbos-worker-process.mjs',
    args: [url, String(DBOS_POLL_MS)],
  };
  // The first process to launch makes the tables, and a queue.
  await withWorkers({ ...processes, count: 1 }, (workers) => workers.go());
  await fillDbos(url, DBOS_RUNS);
  return measured(server, processes, async () => {
    const done = await dbosDone(url);
    return done < DBOS_RUNS ? { done } : { done, pace: () => dbosPace(url, warmOf(DBOS_RUNS)) };
  });
}

async function runGraphile({ server, round }) {
  const url = await server.database(`graphile_${round}`);
  await migrateGraphile(url);
  await fillGraphile(url, GRAPHILE_JOBS);
  let warm = null;
  return measured(
    server,
    {
      count: WORKERS,
      least: warmOf(GRAPHILE_JOBS),
      program: 'graphile-worker-process.mjs',
      args: [url, String(SLOTS)],
    },
    async () => {
      // Ended jobs are gone, and with them their times: looked at from outside.
      const done = GRAPHILE_JOBS - (await graphileLeft(url));
      const atMs = performance.now();
      if (warm === null && done >= warmOf(GRAPHILE_JOBS)) warm = { done, atMs };
      const pace = () => ((done - warm.done) * 1000) / (atMs - warm.atMs);
      return done < GRAPHILE_JOBS ? { done } : { done, pace };
    },
  );
}
