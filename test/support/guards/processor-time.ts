import { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';

/** Milliseconds of the processor that this process takes for some work, its threads included. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What some work took, and how many processes it started. */
export interface Measured {
  readonly ms: number;
  readonly started: number;
}

/** Node's own method, which its types leave out; all that starts a process goes through it. */
const starting: { spawn(this: ChildProcess, options: unknown): unknown } = ChildProcess.prototype as never;

/**
 * As `cpuMs`, without the moments in which a process is started. The system copies the map of this
 * process's memory for each (1 ms at 50 MB, 15 at 400): that measures what ran here before, and
 * not the work. So starts are counted.
 */
export async function cpuMsWithoutStarts(work: () => unknown): Promise<Measured> {
  const { spawn } = starting;
  let startsMs = 0;
  let started = 0;
  starting.spawn = function (options) {
    const before = process.cpuUsage();
    const answer = spawn.call(this, options);
    const { user, system } = process.cpuUsage(before);
    startsMs += (user + system) / 1000;
    started += 1;
    return answer;
  };
  try {
    const ms = await cpuMs(work);
    return { ms: ms - startsMs, started };
  } finally {
    starting.spawn = spawn;
  }
}

/** Rounds between two looks at the ratio. */
const ROUNDS = 5;
const MOST_ROUNDS = 100;

/** A step of the clock is a small part of it. */
const LEAST_MS = 8;
const MOST_TIMES = 10_000;

/**
 * Milliseconds of the processor that the thread of the test takes for some work. Clocks of threads
 * move in steps on some machines: short work is done again until it has taken many of them.
 */
export function ownMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  for (let times = 1; ; times += 1) {
    work();
    const { user, system } = process.threadCpuUsage(before);
    const usedMs = (user + system) / 1000;
    if (usedMs >= LEAST_MS || times === MOST_TIMES) return usedMs / times;
  }
}

/**
 * Processor time of one work beside that of another: the least of each, in turns. Helpers of the
 * collector are left out, which spin where others keep the machine busy. What others do only ever
 * adds, to either, so rounds are added until the ratio is at most `bound`; where the work itself
 * costs more, none of a hundred gets there. Either work is synchronous.
 */
export function ratioOf(bound: number, one: () => void, other: () => void): number {
  let [leastOne, leastOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    leastOne = Math.min(leastOne, ownMs(one));
    leastOther = Math.min(leastOther, ownMs(other));
    if (round % ROUNDS === 0 && leastOne / leastOther <= bound) break;
  }
  return leastOne / leastOther;
}

const SAMPLE = {
  type: 'model.called',
  labels: { team: 'a', stage: 'test' },
  payload: { model: 'm1', parts: Array.from({ length: 12 }, (_, n) => ({ type: 'text', text: `part ${n} of it` })) },
};
const TIMES = 2_000;

/**
 * What this machine takes for what a run mostly is: JSON made and read, digests, small objects. A
 * busy neighbour slows this down as much as it slows a run.
 */
export function calibrate(): number {
  let length = 0;
  for (let n = 0; n < TIMES; n += 1) {
    const text = JSON.stringify({ ...SAMPLE, n });
    length += createHash('sha256').update(text).digest('hex').length;
    length += Object.keys(JSON.parse(text)).length;
  }
  return length;
}
