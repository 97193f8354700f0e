// One step's commit alone and with 100 runs at once, beside a bare synced page. Figures, no
// verdicts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import '../support/processes-typescript.mjs';
import { ms, show, syncedPageMs } from './support/figures.mjs';

const { openSqliteStores } = await import('../../src/store/sqlite/open-sqlite-stores.ts');
const { claimOf, createIds, endWrite, fenceOf, messageEvent, newJob, startWrite, stepOf } = await import(
  '../support/store-samples.ts'
);
const { SILENT } = await import('../support/store-world.ts');

const ALONE_STEPS = 1000;
const RUNS = 100;
const STEPS_EACH = 30;

const directory = mkdtempSync(join(tmpdir(), 'kit-bench-'));
const clock = { now: () => Date.now(), sleep: async () => {} };
const ids = createIds();
const stores = await openSqliteStores({
  stateDir: directory,
  clock,
  ids: createIds(9),
  faults: { hit: () => {} },
  log: SILENT,
  processStartOf: () => '1',
});

const newRun = () => stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());

/**
 * A step as the engine commits it: the end of one and the start of the next share a commit, with an
 * event each.
 */
async function runSteps(job, count) {
  const fence = fenceOf(job);
  for (let step = 0; step < count; step++) {
    const key = `root/d0/t${step}`;
    const before =
      step === 0
        ? []
        : [
            endWrite(`root/d0/t${step - 1}`, { status: 'ok', value: { text: 'an answer', n: step } }, [
              messageEvent(ids.uuid(), 'ends', key),
            ]),
          ];
    await stores.runs.commit(fence, [
      ...before,
      startWrite(stepOf(job.id, key), [messageEvent(ids.uuid(), 'begins', key)]),
    ]);
  }
}

async function measured(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedMs = performance.now();
  await work();
  const tookMs = performance.now() - startedMs;
  delay.disable();
  return { tookMs, p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
}

const showStep = (name, perStepMs, loop) =>
  show(
    name,
    `${ms(perStepMs, 3)}, ${Math.round(1000 / perStepMs)}/s; delay of the event loop p50 ${loop.p50.toFixed(1)}, p99 ${loop.p99.toFixed(1)}, max ${ms(loop.max, 1)}`,
  );

await runSteps(await newRun(), 100);
show('bare synced page', ms(syncedPageMs(directory), 3));
const one = await newRun();
const alone = await measured(() => runSteps(one, ALONE_STEPS));
showStep('a step, one run alone', alone.tookMs / ALONE_STEPS, alone);
const many = await Promise.all(Array.from({ length: RUNS }, newRun));
const together = await measured(() => Promise.all(many.map((job) => runSteps(job, STEPS_EACH))));
showStep(`a step, ${RUNS} runs at once`, together.tookMs / (RUNS * STEPS_EACH), together);
await stores.close();
rmSync(directory, { recursive: true, force: true });
