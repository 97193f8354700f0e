// From the call that submits a run to the first call of its model in an idle worker process, beside
// graphile-worker: from `addJob` to the start of its function.
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, show } from './support/figures.mjs';
import { kitWorkers, openQueue } from './support/workers/kit-queue.mjs';
import { GRAPHILE_TASK, migrateGraphile, openGraphile } from './support/workers/peers.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';
import { withWorkers } from './support/workers/worker-group.mjs';
import { SLOTS, writeWorkersWorkspace } from './support/workers/workspace.mjs';

const TIMES = 150;
const WARM_UP = 20;
/** Long enough for everything behind a run to be over. */
const PAUSE_MS = 60;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

console.log(`one job at a time for one idle worker process each, in turns; ${loadNow()}`);
await inDirectory(async (directory) =>
  withPostgres(async (server) => {
    writeWorkersWorkspace(directory);
    const queue = await openQueue(directory, await server.database('kit'));
    const url = await server.database('graphile');
    await migrateGraphile(url);
    const utils = await openGraphile(url);
    const peer = { program: 'graphile-worker-process.mjs', count: 1, args: [url, String(SLOTS)] };
    await withWorkers(kitWorkers(directory, queue, 1), (ours) =>
      withWorkers(peer, async (theirs) => {
        await Promise.all([ours.go(), theirs.go()]);
        const [kit, graphile] = [[], []];
        for (let n = 0; n < WARM_UP + TIMES; n++) {
          const submittedMs = Date.now();
          const [job] = await queue.submit('two');
          kit.push({ submittedMs, jobId: job.id });
          await pause(PAUSE_MS);
          const addedMs = Date.now();
          await utils.addJob(GRAPHILE_TASK, { n });
          graphile.push({ addedMs });
          await pause(PAUSE_MS);
        }
        await pause(1000);
        const starts = await startsOf(queue);
        const kitMs = kit.slice(WARM_UP).map(({ submittedMs, jobId }) => starts.get(jobId) - submittedMs);
        const [{ startedMs }] = await theirs.facts();
        const graphileMs = graphile.slice(WARM_UP).map(({ addedMs }, n) => startedMs[n + WARM_UP] - addedMs);
        report('kit', kitMs);
        report('graphile-worker', graphileMs);
        const [ours50, theirs50] = [median(kitMs), median(graphileMs)];
        show('submit to start, p50', `${ours50} ms beside ${theirs50} ms`, {
          bar: '<= 6 ms',
          holds: ours50 <= 6,
        });
      }),
    );
    await utils.release();
    await queue.close();
    console.log(loadNow());
  }),
);

/**
 * The first call of a model: its event is stamped when it has answered. Clocks of one machine,
 * whole milliseconds, as on the other side.
 */
async function startsOf(queue) {
  const rows = await queue.query(
    `SELECT job_id, min(extract(epoch FROM timestamp::timestamptz) * 1000 - (payload::json->>'duration_ms')::numeric)::float AS at
     FROM kit.events WHERE type = 'model.called' GROUP BY job_id`,
  );
  return new Map(rows.map(({ job_id, at }) => [job_id, at]));
}

function report(name, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  show(name, `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${sorted.at(-1)} ms`);
}
