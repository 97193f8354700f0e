// A process in which much lives for a while and is garbage then, as what waits for a model does.
// Argument: for whom it is bounded, or `free`. Answers with one line of JSON: the most of both
// parts of the heap, in MiB.
import { getHeapSpaceStatistics } from 'node:v8';
import './processes-typescript.mjs';

const { boundHeap } = await import('../../src/system/young-generation.ts');

const MIB = 2 ** 20;
/** What lives at a time, and how often it is replaced: lists of some 24 kB. */
const [PLACES, LISTS, LENGTH] = [1500, 15_000, 1000];

const spaceOf = (name) => getHeapSpaceStatistics().find((space) => space.space_name === name);
const most = { young: 0, old: 0 };
if (process.argv[2] !== 'free') boundHeap(process.argv[2]);
// A server opens stores, too.
if (process.argv[2] === 'server') boundHeap('runs');
const kept = Array.from({ length: PLACES });
for (let n = 0; n < LISTS; n += 1) {
  kept[n % PLACES] = Array.from({ length: LENGTH }, (_, at) => ({ at: at + n + 0.5 }));
  await new Promise((resolve) => setImmediate(resolve));
  const young = spaceOf('new_space');
  most.young = Math.max(most.young, (young.space_used_size + young.space_available_size) / MIB);
  most.old = Math.max(most.old, spaceOf('old_space').space_used_size / MIB);
}
console.log(JSON.stringify(most));
