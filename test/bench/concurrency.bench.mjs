// 1,000, 5,000 and 10,000 runs of the chain at once in one process, against an in-process model
// that answers after 1 s: eleven answers one after another take 11 s, however many runs there are.
// What a run holds is taken apart from that, after a collection, while 150 of them wait for their
// model in the midst of the chain.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MODEL_CALLS } from './support/chain-workspace.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';

const program = (name) => fileURLToPath(new URL(`support/${name}`, import.meta.url));
const KB = 1000;

async function answerOf(name, ...words) {
  const { stdout } = await inDirectory((directory) =>
    promisify(execFile)(process.execPath, ['--expose-gc', program(name), directory, ...words]),
  );
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

console.log(
  `ideal: ${MODEL_CALLS} answers of 1 s one after another, however many runs there are; all are submitted at once; ${loadNow()}`,
);
for (const { count, share, kilobytes } of [
  { count: 1000, share: 95, kilobytes: 200 },
  { count: 5000, share: 80, kilobytes: null },
  { count: 10_000, share: null, kilobytes: null },
]) {
  const { tookMs, idealMs, cpuMsPerRun, rssPerRunBytes } = await answerOf('many-process.mjs', String(count));
  const reached = (100 * idealMs) / tookMs;
  const asked = share === null ? {} : { bar: `>= ${share} %`, holds: reached >= share };
  show(`${count} runs at once, throughput`, `${reached.toFixed(1)} % of ideal`, asked);
  const memory = rssPerRunBytes / KB;
  const bar = kilobytes === null ? {} : { bar: `<= ${kilobytes} kB`, holds: memory <= kilobytes };
  show(`${count} runs at once, resident memory a run`, `${memory.toFixed(0)} kB`, bar);
  show(`${count} runs at once, processor time a run`, ms(cpuMsPerRun));
}
const { liveBytesPerRun } = await answerOf('live-process.mjs');
show('live memory of a run that waits in the midst of it', `${(liveBytesPerRun / KB).toFixed(1)} kB`, {
  bar: '<= 60 kB',
  holds: liveBytesPerRun <= 60 * KB,
});
