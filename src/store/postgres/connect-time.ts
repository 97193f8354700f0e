/** A server that does not answer is given up after this. */
const CONNECT_MS = 3_500;
/**
 * A command that starts says within 5 s that nothing answers; the rest is for its answer and its
 * end.
 */
const START_MS = 4_500;
/** What began longer ago than this has started, on whatever machine. */
const STARTED_MS = 15_000;
/** Also where the start itself took long: a server far away, or one that wakes, needs this. */
const LEAST_MS = 2_000;

/**
 * How long one connection is waited for. While a process starts this is what the start has left:
 * how long modules take to load is a matter of the machine, and the person before it waits for the
 * sum.
 */
export function connectMsAt(uptimeMs: number): number {
  if (uptimeMs >= STARTED_MS) return CONNECT_MS;
  return Math.min(CONNECT_MS, Math.max(LEAST_MS, Math.round(START_MS - uptimeMs)));
}
