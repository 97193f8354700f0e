import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Random } from './random.js';

const SHORTEST_MS = 3_000;
const LONGEST_MS = 9_000;

/** The database of the log is there half of the time, until `signal`; then it is there. */
export async function disturbAudit(of: {
  readonly cluster: Cluster;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}): Promise<void> {
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal: of.signal }).catch(() => undefined);
  while (!of.signal.aborted) {
    await wait(of.random.between(SHORTEST_MS, LONGEST_MS));
    if (of.signal.aborted) return;
    const downMs = of.random.between(SHORTEST_MS, LONGEST_MS);
    of.tell(`the database of the log is away for ${downMs} ms`);
    await of.cluster.kill();
    await wait(downMs);
    await of.cluster.start();
  }
}
