// A claim (a look, then the claim) beside 100,000 queued jobs and beside 100; two-step runs a
// second of four workers beside 100,000 parked runs and beside none.
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show, timed } from './support/figures.mjs';
import { cloneParked, cloneQueued } from './support/workers/clone-runs.mjs';
import { kitRate, openQueue } from './support/workers/kit-queue.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';
import { writeWorkersWorkspace } from './support/workers/workspace.mjs';

const MANY = 100_000;
const FEW = 100;
const CLAIMS = 200;
const WORKERS = 4;
const ROUNDS = Number(process.env.KIT_BENCH_ROUNDS ?? 3);
const RUNS = 5000;

await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    await claims(server, directory);
    await besideParked(server, directory);
    console.log(loadNow());
  }),
);

/**
 * Claims of one job as an idle worker makes them (a look, then the claim), in turns; each claimed
 * job is given back.
 */
async function claims(server, directory) {
  const sides = [];
  for (const count of [FEW, MANY]) {
    const queue = await openQueue(directory, await server.database(`queued_${count}`));
    await queue.submit('two');
    await cloneQueued(queue, count - 1);
    sides.push({ count, queue, took: [] });
  }
  for (let n = 0; n < CLAIMS; n++) {
    for (const { queue, took } of sides) {
      let jobs = [];
      const tookMs = await timed(async () => {
        jobs = await queue.stores.jobs.claim(await queue.claim());
      });
      took.push(tookMs);
      if (jobs.length !== 1) throw new Error('a claim found no job');
      await queue.giveBack(jobs[0]);
    }
  }
  const [few, many] = sides.map(({ took }) => median(took.slice(CLAIMS / 10)));
  show(`a claim beside ${FEW} queued, beside ${MANY}`, `${ms(few)}, ${ms(many)}`, {
    bar: '<= 1.25x',
    holds: many <= 1.25 * few,
  });
  for (const { queue } of sides) await queue.close();
}

async function besideParked(server, directory) {
  const sides = [];
  for (const count of [0, MANY]) {
    const queue = await openQueue(directory, await server.database(`parked_${count}`));
    await cloneParked(queue, count);
    sides.push({ count, queue, rates: [] });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { queue, rates } of round % 2 === 0 ? sides : sides.toReversed()) {
      rates.push(await kitRate(server, { directory, queue, count: RUNS, workers: WORKERS }));
    }
  }
  const [none, many] = sides.map(({ rates }) => median(rates.map(({ rate }) => rate)));
  const [noneMs, manyMs] = sides.map(({ rates }) => median(rates.map(({ workerMs, serverMs }) => workerMs + serverMs)));
  show(`processor time of a run beside none parked, beside ${MANY}`, `${ms(noneMs)}, ${ms(manyMs)}`);
  const share = many / none;
  show(
    'runs/s beside none parked, beside many',
    `${none.toFixed(0)}, ${many.toFixed(0)}: ${(100 * share).toFixed(0)} %`,
    {
      bar: '>= 90 %',
      holds: share >= 0.9,
    },
  );
  for (const { queue } of sides) await queue.close();
}
