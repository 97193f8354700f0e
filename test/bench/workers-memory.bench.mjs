// Resident memory of a worker process that has nothing to do, and of one that executes fifty runs, in the built package.
import { inDirectory } from './support/directory.mjs';
import { loadNow, show } from './support/figures.mjs';
import { kitWorkers, openQueue } from './support/workers/kit-queue.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';
import { withWorkers } from './support/workers/worker-group.mjs';
import { SLOTS, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const MB = 1e6;
const IDLE_MS = 5000;
const BUSY_MS = 15_000;

await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    const queue = await openQueue(directory, await server.database('kit'));
    await withWorkers(kitWorkers(directory, queue, 1), async (workers) => {
      await workers.go();
      const idle = await largest(workers, IDLE_MS);
      show('an idle worker', `${idle.toFixed(0)} MB`, { bar: '<= 130 MB', holds: idle <= 130 });
      await queue.submit('slow', SLOTS * Math.ceil(BUSY_MS / 500));
      const busy = await largest(workers, BUSY_MS);
      show(`a worker with ${SLOTS} runs under way, one after the other ending`, `${busy.toFixed(0)} MB`, { bar: '<= 200 MB', holds: busy <= 200 });
    });
    await queue.close();
    console.log(loadNow());
  }),
);

/** The most it had in this time. */
async function largest(workers, forMs) {
  let most = 0;
  for (const untilMs = performance.now() + forMs; performance.now() < untilMs; ) {
    most = Math.max(most, ...(await workers.rssBytes()));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return most / MB;
}
