// One process, so that memory is that of these runs alone. Arguments: directory, number of runs.
// Answers with one line of JSON.
import { MODEL_CALLS } from './chain-workspace.mjs';
import { openChainApp } from './kit-app.mjs';

const [directory, count] = [process.argv[2], Number(process.argv[3])];
const LATENCY_MS = 1000;
const WARM_UP = 50;

const { app, run } = openChainApp(directory, { latencyMs: LATENCY_MS });
// What a process needs once (code, the store, the first pages) is not a cost of a run.
await Promise.all(Array.from({ length: WARM_UP }, async () => (await run()).done));
globalThis.gc?.();
const before = process.memoryUsage.rss();
let peak = before;
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 50);
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
const runs = await Promise.all(Array.from({ length: count }, run));
const tookMs = performance.now() - startedMs;
const cpu = process.cpuUsage(cpuBefore);
clearInterval(watch);
await Promise.all(runs.map(({ done }) => done));
await app.close();
console.log(
  JSON.stringify({
    count,
    tookMs,
    idealMs: MODEL_CALLS * LATENCY_MS,
    cpuMsPerRun: (cpu.user + cpu.system) / 1000 / count,
    rssPerRunBytes: (peak - before) / count,
  }),
);
