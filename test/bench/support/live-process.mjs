// What a run holds while it waits in the midst of its work: live bytes of the heap after a
// collection, a run. Argument: directory. Needs --expose-gc. Answers with one line of JSON.
import { MODEL_CALLS } from './chain-workspace.mjs';
import { onCommit, openChainApp } from './kit-app.mjs';

// What a process compiles with its first runs is not part of a run.
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
  return settled();
}

const LOOK_AGAIN_MS = 250;
/** In a row: longer than the second after which calls are written that `kit debug` shows. */
const STILL_LOOKS = 6;
const MOST_LOOKS = 60;
/** Of the heap: 150 bytes a run. */
const STILL = 0.0005;

/**
 * What is live once it changes no more: what was under way in the store is over, and the process
 * has written what it keeps of calls, which is not part of a run.
 */
async function settled() {
  let [from, still] = [look(), 1];
  for (let n = 1; n < MOST_LOOKS && still < STILL_LOOKS; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const now = look();
    const isStill = Math.abs(now - from) < STILL * now;
    [from, still] = isStill ? [from, still + 1] : [now, 1];
  }
  if (still < STILL_LOOKS) throw new Error(`what is live was still changing after ${MOST_LOOKS} looks`);
  return from;
}

function look() {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const before = await liveWith(BEFORE);
const live = (await liveWith(RUNS)) - before;
console.log(JSON.stringify({ runs: RUNS, liveBytesPerRun: live / RUNS }));
process.exit(0);
