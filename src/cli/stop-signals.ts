/** What of the process a long-lived command listens to. */
type SignalSource = Pick<NodeJS.Process, 'on' | 'off'>;

/** Asked to stop: by whom, and how to stop listening. */
export interface StopSignals {
  /** The first of SIGTERM, SIGINT and SIGHUP. */
  readonly first: Promise<NodeJS.Signals>;
  readonly release: () => void;
}

/**
 * A terminal that is closed is no crash: what ran goes on elsewhere without waiting for a lease to
 * end.
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
  return { first: first.promise, release: onSignals(source, take) };
}
