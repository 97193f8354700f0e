// argv: database URL, jobs at once. graphile-worker as a process: a job that does nothing, nothing
// batched (its default).
import { run } from 'graphile-worker';
import { answerLines } from './answer-lines.mjs';
import { GRAPHILE_TASK, graphileOptions } from './peers.mjs';

const [url, slots] = process.argv.slice(2);
let runner;
const startedMs = [];
await answerLines({
  facts: () => ({ startedMs }),
  start: async () => {
    runner = await run({
      ...graphileOptions(url),
      concurrency: Number(slots),
      noHandleSignals: true,
      taskList: {
        [GRAPHILE_TASK]: async (payload) => {
          // Only the jobs that are timed are numbered.
          if (payload.n !== undefined) startedMs[payload.n] = Date.now();
        },
      },
    });
  },
});
await runner?.stop();
