export type Expiry = 'timeout' | 'idle';

export interface StopwatchOptions {
  /** null = never. */
  readonly timeoutMs: number | null;
  /** null = never. */
  readonly idleTimeoutMs: number | null;
  /** While true, silence does not count. */
  readonly isHeldBack: () => boolean;
  readonly onExpiry: (expiry: Expiry) => void;
}

export interface Stopwatch {
  /** Something arrived from the child. */
  touch(): void;
  stop(): void;
}

/**
 * Total time and silence of one process; fires at most once. Cheap to touch: a touch moves a mark,
 * not a timer.
 */
export function startStopwatch(options: StopwatchOptions): Stopwatch {
  const startedAtMs = performance.now();
  let lastTouchMs = startedAtMs;
  let timer: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    const nowMs = performance.now();
    if (options.isHeldBack()) lastTouchMs = nowMs;
    const totalLeftMs = options.timeoutMs === null ? Number.POSITIVE_INFINITY : startedAtMs + options.timeoutMs - nowMs;
    const idleLeftMs =
      options.idleTimeoutMs === null ? Number.POSITIVE_INFINITY : lastTouchMs + options.idleTimeoutMs - nowMs;
    const leftMs = Math.min(totalLeftMs, idleLeftMs);
    if (leftMs === Number.POSITIVE_INFINITY) return;
    if (leftMs <= 0) options.onExpiry(totalLeftMs <= idleLeftMs ? 'timeout' : 'idle');
    else timer = setTimeout(schedule, Math.min(Math.ceil(leftMs), MAX_DELAY_MS));
  };
  schedule();

  return {
    touch: () => {
      lastTouchMs = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}

/** A timer of Node fires at once beyond 2^31 - 1 ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;
