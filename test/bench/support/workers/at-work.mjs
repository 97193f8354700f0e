import { query } from './postgres-server.mjs';
import { withWorkers } from './worker-group.mjs';

const LOOK_MS = 100;

/** The first fifth of what a side does is left out. */
export const warmOf = (count) => Math.floor(count / 5);

/**
 * Processes at work from `go` until all is done. `look` tells how many are done, and at the end
 * `pace`, which asks how many a second; beside that rate the processor time of one unit, once
 * `least` were done.
 */
export async function rateOf(server, { least, ...processes }, look) {
  await query(server.url, 'CHECKPOINT');
  return withWorkers(processes, async (workers) => {
    const costs = async (done) => ({ done, workerMs: await workers.cpuMs(), serverMs: server.cpuMs() });
    await workers.go();
    let warm = null;
    for (;;) {
      const { done, pace } = await look();
      if (warm === null && done >= least) warm = await costs(done);
      if (pace !== undefined) {
        const end = await costs(done);
        const count = end.done - warm.done;
        return {
          rate: await pace(),
          workerMs: (end.workerMs - warm.workerMs) / count,
          serverMs: (end.serverMs - warm.serverMs) / count,
        };
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  });
}
