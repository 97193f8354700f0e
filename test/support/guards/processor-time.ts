import { createHash } from 'node:crypto';

/** Milliseconds of the processor that this process takes for some work, its threads included. */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
