import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a start that is nearly done to end in order. */
const START_GRACE_MS = 5_000;

/** What of the process a long-lived command listens to. */
type SignalSource = Pick<NodeJS.Process, 'on' | 'off'>;

/** Asked to stop: by whom, and how to stop listening. */
export interface StopSignals {
  /** The first of SIGTERM, SIGINT and SIGHUP. */
  readonly first: Promise<NodeJS.Signals>;
  /**
   * Waits for a start, and no longer than a few seconds once a signal has come: a store that does
   * not answer would hold it.
   */
  readonly starting: <T>(work: Promise<T>) => Promise<T>;
  readonly release: () => void;
}

/**
 * A terminal that is closed is not a crash: what ran goes on elsewhere without waiting for a lease
 * to end.
 */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Tells `handler` of every signal that asks for an end, until the returned function is called. Not
 * `once`: whoever else listens takes the last listener for the word to end the process at once.
 */
export function onSignals(source: SignalSource, handler: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of SIGNALS) source.on(signal, handler);
  return () => {
    for (const signal of SIGNALS) source.off(signal, handler);
  };
}

/**
 * The first signal asks for an orderly end; whoever sends a second one does not want to wait for
 * it.
 */
export function stopSignals(source: SignalSource, exit: (code: 130) => void): StopSignals {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let isAsked = false;
  const take = (signal: NodeJS.Signals): void => {
    if (isAsked) exit(130);
    isAsked = true;
    first.resolve(signal);
  };
  const starting = async <T>(work: Promise<T>): Promise<T> => {
    let late: NodeJS.Timeout | undefined;
    let isOver = false;
    void first.promise.then(() => {
      if (!isOver) late = setTimeout(() => exit(130), START_GRACE_MS);
    });
    try {
      return await work;
    } finally {
      isOver = true;
      clearTimeout(late);
    }
  };
  return { first: first.promise, starting, release: onSignals(source, take) };
}

/** Resolves after the time, or when the signal aborts; at once where it has. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
