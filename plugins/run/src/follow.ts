import { EMPTY_RUN, type Job, type RunHandle, type RunView, reduceRun, type StoredEvent } from '@kit-run/kit/command';

/** Signals that ask for a cooperative stop first, and for an end at once the second time (journal.md 5.5). */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface FollowOptions {
  readonly handle: RunHandle;
  readonly afterSeq: number;
  /** Shown for each event after it is durable. */
  readonly onEvent: (event: StoredEvent) => void;
  /** Told at the first signal. */
  readonly onStopAsked: () => void;
  /** Who asks for the stop when a signal comes. */
  readonly by: string;
}

export interface Followed {
  readonly job: Job;
  readonly view: RunView;
  /** True when a second signal ended the run at once. */
  readonly wasAborted: boolean;
}

/** Shows the stream of a run that this process executes until it ends or parks; owns the signals meanwhile. */
export async function followHandle(options: FollowOptions): Promise<Followed> {
  const { handle } = options;
  const stream = new AbortController();
  let asked = 0;
  const onSignal = (): void => {
    asked += 1;
    if (asked > 1) {
      handle.abort();
      return;
    }
    options.onStopAsked();
    // A stop that cannot be recorded must not take the process down: the second signal still ends the run.
    handle.stop(options.by).catch(() => undefined);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  let view = EMPTY_RUN;
  try {
    const shown = (async () => {
      for await (const event of handle.events(options.afterSeq, stream.signal)) {
        view = reduceRun(view, event);
        options.onEvent(event);
      }
    })();
    const job = await handle.done;
    await shown;
    return { job, view, wasAborted: asked > 1 };
  } finally {
    stream.abort();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
