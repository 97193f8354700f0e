import { createHash } from 'node:crypto';

/** Milliseconds of the processor that this process takes for some work, its threads included. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Processor time of one work beside that of another, least of all rounds; in turns, for a busy
 * neighbour disturbs both.
 */
export async function ratioOf(rounds: number, one: () => unknown, other: () => unknown): Promise<number> {
  const times: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1) times.push([await cpuMs(one), await cpuMs(other)]);
  return Math.min(...times.map(([ms]) => ms)) / Math.min(...times.map(([, ms]) => ms));
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
