/** What of the process a long-lived command listens to. */
export type SignalSource = Pick<NodeJS.Process, 'on' | 'off'>;

/** Asked to stop: by whom, and how to stop listening. */
export interface StopSignals {
  /** The first SIGTERM or SIGINT. */
  readonly first: Promise<NodeJS.Signals>;
  readonly release: () => void;
}

/** The first signal asks for an orderly end; whoever sends a second one does not want to wait for it. */
export function stopSignals(source: SignalSource, exit: (code: 130) => void): StopSignals {
  const first = Promise.withResolvers<NodeJS.Signals>();
  let isAsked = false;
  const take = (signal: NodeJS.Signals): void => {
    if (isAsked) exit(130);
    isAsked = true;
    first.resolve(signal);
  };
  source.on('SIGTERM', take);
  source.on('SIGINT', take);
  return {
    first: first.promise,
    release: () => {
      source.off('SIGTERM', take);
      source.off('SIGINT', take);
    },
  };
}
