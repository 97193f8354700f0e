// Eight workers against one on a load that waits: runs of two steps of 250 ms each, workers of 10
// slots.
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';
import { kitRate, openQueue } from './support/workers/kit-queue.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';
import { STEP_MS, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const SLOTS = 10;
const MANY = 8;
/** About twelve seconds each. */
const RUNS_A_WORKER = 240;

console.log(`workers of ${SLOTS} slots, runs of two steps of ${STEP_MS} ms; ${loadNow()}`);
await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory, { slots: SLOTS });
    const rates = {};
    for (const workers of [1, MANY]) {
      const queue = await openQueue(directory, await server.database(`workers_${workers}`));
      const { rate, workerMs } = await kitRate(server, {
        directory,
        queue,
        count: RUNS_A_WORKER * workers,
        workers,
        topology: 'slow',
      });
      await queue.close();
      rates[workers] = rate;
      const ideal = (workers * SLOTS * 1000) / (2 * STEP_MS);
      show(
        `${workers} at work`,
        `${rate.toFixed(1)} runs/s of ${ideal} that the waiting alone allows, processor time of a run ${ms(workerMs)}`,
      );
    }
    const ratio = rates[MANY] / rates[1];
    show(`${MANY} workers against 1`, `${ratio.toFixed(2)}x`, { bar: '>= 7.5x', holds: ratio >= 7.5 });
    console.log(loadNow());
  }),
);
