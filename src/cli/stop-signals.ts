/** What of the process a long-lived command listens to. */
export type SignalSource = Pick<NodeJS.Process, 'on' | 'off'>;

/** Asked to stop: by whom, and how to stop listening. */
export interface StopSignals {
  /** The first of SIGTERM, SIGINT and SIGHUP. */
  readonly first: Promise<NodeJS.Signals>;
  readonly release: () => void;
}

/** A terminal that is closed is no crash: what ran goes on elsewhere without waiting for a lease to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The first signal asks for an orderly end; whoever sends a second one does not want to wait for it. */
export function stopSignals(source: SignalSource, exit: (code: 130) => void): StopSignals {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let isAsked = false;
  const take = (signal: NodeJS.Signals): void => {
    if (isAsked) exit(130);
    isAsked = true;
    first.resolve(signal);
  };
  for (const signal of SIGNALS) source.on(signal, take);
  return {
    first: first.promise,
    release: () => {
      for (const signal of SIGNALS) source.off(signal, take);
    },
  };
}
