// What a run holds while it waits in the midst of its work: live bytes of the heap after a
// collection, a run. Argument: directory. Needs --expose-gc. Answers with one line of JSON.
import { MODEL_CALLS } from './chain-workspace.mjs';
import { onCommit, openChainApp } from './kit-app.mjs';

// What a process compiles with its first runs is no part of a run.
const [BEFORE, RUNS] = [250, 150];
/** The leader and the workers up to the one that is held. */
const CALLS_UNTIL_HELD = (MODEL_CALLS - 1) / 2 + 1;

const calls = new Map();
let atRest = { count: 0, told: () => {} };
/** Resolves once as many runs more wait for their model. */
const resting = (count) =>
  new Promise((resolve) => {
    atRest = { count, told: resolve };
  });
const heard = (jobId, writes) => {
  const begun = writes.filter(({ op, row }) => op === 'step.started' && row.kind === 'model').length;
  const all = (calls.get(jobId) ?? 0) + begun;
  calls.set(jobId, all);
  if (begun === 0 || all !== CALLS_UNTIL_HELD) return;
  calls.delete(jobId);
  atRest.count -= 1;
  if (atRest.count === 0) atRest.told();
};

const [, , directory] = process.argv;
const { run } = openChainApp(directory, { topology: 'held', wrap: (stores) => onCommit(stores, heard) });

async function liveWith(more) {
  const waiting = resting(more);
  for (let n = 0; n < more; n += 1) void run();
  await waiting;
  // What was under way in the store and in promises is over, and nothing of it is kept.
  for (let n = 0; n < 10; n += 1) await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const before = await liveWith(BEFORE);
const live = (await liveWith(RUNS)) - before;
console.log(JSON.stringify({ runs: RUNS, liveBytesPerRun: live / RUNS }));
process.exit(0);
