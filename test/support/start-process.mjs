// A process in which one function is hot while a start is held, and another after it. Answers with
// one line of JSON: whether V8 optimized each. Needs `--allow-natives-syntax`; runs what was built,
// since Node reads no TypeScript with `--jitless`.
import { runInThisContext } from 'node:vm';

const { holdStart } = await import('../../dist/system/young-generation.js');

/** Bit of V8: by the compiler that takes most. */
const OPTIMIZED = 1 << 6;
const [ROUNDS, CALLS] = [300, 5000];

const statusOf = runInThisContext('(work) => %GetOptimizationStatus(work)');
/** With pauses, in which what was compiled beside it takes its place. */
async function isOptimizedWhenHot(work) {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let call = 0; call < CALLS; call += 1) work(call);
    await new Promise((resolve) => setImmediate(resolve));
    if ((statusOf(work) & OPTIMIZED) !== 0) return true;
  }
  return false;
}

const release = holdStart();
const held = await isOptimizedWhenHot((from) => (from * 31 + 7) % 65_521);
release();
const after = await isOptimizedWhenHot((from) => (from * 37 + 5) % 65_521);
console.log(JSON.stringify({ held, after }));
