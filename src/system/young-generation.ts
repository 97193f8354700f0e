import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * `youngMib`: MiB of the part of V8's heap in which new objects live; it takes twice as much. V8
 * would go on to 64 as soon as a burst of runs waits for its models, and give none of it back.
 * `oldGrowth`: by how many percent of what lives the old part grows before it is swept; V8 would
 * take up to 300. `runs`: whatever opens a store. `server`: stays up for weeks, and must not grow
 * with what has gone through it; what that costs in processor time is in
 * docs/performance.md#heap.
 */
const BOUNDS = { runs: { youngMib: 32, oldGrowth: 100 }, server: { youngMib: 16, oldGrowth: 50 } } as const;

/** What a process is, for its heap. */
export type HeapUser = keyof typeof BOUNDS;

let bounds: (typeof BOUNDS)[HeapUser] = BOUNDS.runs;

/** Who does not want it larger now: screens and starts, or whoever bounds it. */
let holds = 0;
let isFull = false;

/** V8 reads the flag whenever it could grow; 2 is its default. */
const setGrowth = (): void => setFlagsFromString(`--semi-space-growth-factor=${holds > 0 || isFull ? 1 : 2}`);

/**
 * Keeps V8 from enlarging the part of its heap in which new objects live, until the returned
 * function is called. A screen that is drawn anew with each key makes much that lives for one
 * drawing: V8 would take up to 48 MiB more for it, which spares work that nobody waits for.
 * Measured over 200 keys: 129 MiB instead of 150 MiB.
 */
export function holdYoungGeneration(): () => void {
  let isHeld = true;
  holds += 1;
  setGrowth();
  return () => {
    if (!isHeld) return;
    isHeld = false;
    holds -= 1;
    setGrowth();
  };
}

/**
 * Keeps V8 from enlarging the young part and from optimizing, until the returned function is
 * called. What is hot in a start is cold after it: the optimized code, with what its compiler takes
 * of memory and of the processor, would be for nothing. Where V8 makes no machine code at all
 * (`--jitless`, which takes WebAssembly away), a compiler that is turned on ends the process. V8's
 * quicker one, Maglev, stays as it is: some versions of Node have it turned off, for its faults.
 */
export function holdStart(): () => void {
  const letGrow = holdYoungGeneration();
  const isHeld = 'WebAssembly' in globalThis;
  if (isHeld) setFlagsFromString('--no-opt');
  return () => {
    if (isHeld) setFlagsFromString('--opt');
    letGrow();
  };
}

/**
 * Collects everything once, and gives the pages back to the system. V8 keeps those of a start for
 * later use, and a server that nobody asks anything has none. It takes some 50 ms of a small heap.
 */
export function giveBack(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('typeof gc === "function" ? gc : null');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

let watch: PerformanceObserver | undefined;

/**
 * Bounds what a process takes beside what lives, once for all of it (docs/performance.md#heap); a
 * server that opens a store stays a server. The young part ends as BOUNDS says: Node.js takes the
 * bound of its command line alone, so V8 is looked at after each collection. In the old part lies
 * everything that waits for a model.
 */
export function boundHeap(user: HeapUser): void {
  if (user === 'server') bounds = BOUNDS.server;
  setFlagsFromString(`--heap-growing-percent=${bounds.oldGrowth}`);
  if (watch !== undefined) return;
  watch = new PerformanceObserver(look);
  watch.observe({ entryTypes: ['gc'] });
}

function look(): void {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  const bytes = young === undefined ? 0 : young.space_used_size + young.space_available_size;
  const wasFull = isFull;
  // It grows by doubling, and a page of it holds a little less than its size.
  isFull = 2 * bytes > bounds.youngMib * 2 ** 20;
  if (isFull !== wasFull) setGrowth();
}
