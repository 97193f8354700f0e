import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { seed } from '../support/crash-share.js';
import type { FuzzOrder, FuzzReport } from '../support/fuzz-cases.js';
import { fuzzCases } from '../support/fuzz-starts.js';

/** Cases of a share; `npm run fuzz` runs 100,000. */
const COUNT = Number(process.env.KIT_TEST_FUZZ ?? '2000');
/** One case alone, to look at it again: its number. */
const ALONE = process.env.KIT_TEST_FUZZ_CASE;
/**
 * Far above what the slowest case needs on a busy machine; a case that is still running then hangs.
 */
const HANGS_MS = 20_000;
const LOOK_EVERY_MS = 500;

function shown(index: number): string {
  const { path, text } = fuzzCases(seed())(index);
  return JSON.stringify({ [path]: text });
}

/**
 * Runs cases in a thread and ends it when one case takes too long. Rejects then, naming the case.
 */
async function runCases(from: number, to: number): Promise<FuzzReport> {
  const at = new SharedArrayBuffer(4);
  const order: FuzzOrder = { seed: seed(), from, to, at };
  const worker = new Worker(new URL('../support/fuzz-worker-process.mjs', import.meta.url), {
    workerData: order,
    execArgv: [],
  });
  const report = new Promise<FuzzReport>((resolve, reject) => {
    let last = { index: -1, sinceMs: performance.now() };
    const watchdog = setInterval(() => {
      const index = Atomics.load(new Int32Array(at), 0);
      if (index !== last.index) last = { index, sinceMs: performance.now() };
      else if (performance.now() - last.sinceMs > HANGS_MS)
        reject(new Error(`case ${index} of seed ${seed()} hangs: ${shown(index)}`));
    }, LOOK_EVERY_MS);
    worker
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => reject(new Error('the thread ended without a report')))
      .once('exit', () => clearInterval(watchdog));
  });
  try {
    return await report;
  } finally {
    await worker.terminate();
  }
}

it(
  'every mutated artifact gets a verdict: no crash, no hang, every place inside its text, and every format shows it',
  async () => {
    const [from, to] = ALONE === undefined ? [0, COUNT] : [Number(ALONE), Number(ALONE) + 1];
    const startedMs = performance.now();
    const { verdicts, failures, codes, slowestMs, slowestIndex } = await runCases(from, to);

    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    console.log(
      `fuzz: seed ${seed()}, ${to - from} artifacts in ${seconds} s: ${JSON.stringify(verdicts)}, ${codes.length} codes, slowest ${slowestMs.toFixed(0)} ms (case ${slowestIndex})`,
    );
    for (const failure of failures)
      console.log(
        `case ${failure.index} of seed ${seed()}: ${failure.problem}\n${JSON.stringify({ [failure.path]: failure.text })}`,
      );
    expect(failures.map(({ index, problem }) => `${index}: ${problem}`)).toEqual([]);
    if (ALONE !== undefined) return;
    // A phase that no case reached would have been tested by nothing.
    for (const count of Object.values(verdicts)) expect(count).toBeGreaterThan(COUNT / 50);
    expect(codes.length).toBeGreaterThan(40);
  },
  Math.max(120_000, COUNT * 60),
);
