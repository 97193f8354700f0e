// argv: state directory, number of this process, milliseconds to write for. Tells what was
// acknowledged and what was seen.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { NO_FAULTS } from '../../src/domain/faults.js';
import { openSqliteStores } from '../../src/store/sqlite/open-sqlite-stores.js';
import {
  claimOf,
  createIds,
  endedEvent,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from './store-samples.js';
import { SILENT } from './store-world.js';

const [stateDir = '', number = '1', forMs = '1000'] = process.argv.slice(2);
const RUNS_AT_ONCE = 10;
const STEPS = 8;

const ids = createIds(Number(number));
const clock = { now: () => Date.now(), sleep: () => Promise.reject(new Error('unused')) };
const stores = await openSqliteStores({
  stateDir,
  clock,
  ids: createIds(0x100 + Number(number)),
  faults: NO_FAULTS,
  log: SILENT,
  processStartOf: () => '1',
});
process.stdout.write('{"open":true}\n');
await new Promise((resolve) => process.stdin.once('data', resolve));

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const untilMs = performance.now() + Number(forMs);
const acked: string[] = [];
const commitMs: number[] = [];

async function timed<T>(work: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const value = await work;
  commitMs.push(performance.now() - startedMs);
  return value;
}

async function oneRun(): Promise<void> {
  const started = startedEvent(ids.uuid());
  const job = await timed(
    stores.jobs.insert(newJob(ids.jobId()), 'pending', [started], claimOf({ workerId: `w${number}` })),
  );
  acked.push(started.eventId);
  const fence = fenceOf(job);
  for (let step = 0; step < STEPS; step++) {
    const [begins, ends] = [
      messageEvent(ids.uuid(), 'begins', `s${step}`),
      messageEvent(ids.uuid(), 'ends', `s${step}`),
    ];
    await timed(stores.runs.commit(fence, [startWrite(stepOf(job.id, `s${step}`), [begins])]));
    acked.push(begins.eventId);
    await timed(stores.runs.commit(fence, [endWrite(`s${step}`, { status: 'ok', value: step }, [ends])]));
    acked.push(ends.eventId);
  }
  const end = endedEvent(ids.uuid());
  await timed(stores.runs.commit(fence, [runEndWrite([end])]));
  acked.push(end.eventId);
}

/** Reads on while others write; the last page is read after this process has stopped writing. */
async function follow(signal: AbortSignal, isOver: () => boolean): Promise<readonly number[]> {
  const seen: number[] = [];
  let after = '';
  for (;;) {
    const wasOver = isOver();
    const page = await stores.events.read({ after, limit: 100 });
    seen.push(...page.events.map((event) => event.pos));
    after = page.nextCursor;
    if (!page.hasMore && wasOver) return seen;
    if (!page.hasMore) await stores.events.waitForChange(100, signal);
  }
}

let isOver = false;
const following = follow(new AbortController().signal, () => isOver);
const writers = Array.from({ length: RUNS_AT_ONCE }, async () => {
  while (performance.now() < untilMs) await oneRun();
});
await Promise.all(writers);
isOver = true;
const seen = await following;
delay.disable();
commitMs.sort((x, y) => x - y);
const at = (share: number): number => commitMs[Math.min(commitMs.length - 1, Math.floor(share * commitMs.length))] ?? 0;
const report = `${JSON.stringify({ acked, seen, commits: commitMs.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), loopP99Ms: delay.percentile(99) / 1e6, loopMaxMs: delay.max / 1e6 })}\n`;
// A long report would still be in the pipe when this process exits.
await new Promise<void>((resolve) => process.stdout.write(report, () => resolve()));
await stores.close();
process.exit(0);
