// argv: database URL, jobs at once. graphile-worker as a process: a job that does nothing, nothing batched (its default).
import { run } from 'graphile-worker';
import { answerLines } from './answer-lines.mjs';
import { GRAPHILE_TASK, graphileOptions } from './peers.mjs';

const [url, slots] = process.argv.slice(2);
let runner;
await answerLines({
  start: async () => {
    runner = await run({
      ...graphileOptions(url),
      concurrency: Number(slots),
      noHandleSignals: true,
      taskList: { [GRAPHILE_TASK]: async () => {} },
    });
  },
});
await runner?.stop();
