import type { RunHandle } from '../app/runs/runs-app.js';
import type { StreamedText } from '../app/runs/text-feed.js';
import type { Job } from '../domain/job.js';
import { RunFold } from '../view/run-fold.js';
import { EMPTY_RUN, type RunView } from '../view/run-view.js';
import type { ProcessEvents } from './process-io.js';
import type { RunScreen } from './run-screen.js';
import { onSignals } from './stop-signals.js';

export interface FollowOptions {
  readonly handle: RunHandle;
  readonly afterSeq: number;
  readonly screen: RunScreen;
  /**
   * Who hears signals: the first asks for a cooperative stop, the second for an end at once
   * (docs/design/journal.md#stop).
   */
  readonly events: ProcessEvents;
  /** Who asks for the stop when a signal comes. */
  readonly by: string;
  /** How long a step in flight holds a run that was asked to stop; default 60 000. */
  readonly patienceMs?: number;
}

/**
 * Shorter than service managers wait before they kill (90 s): what ends here says so, keeps its
 * results and leaves no process.
 */
const STOP_PATIENCE_MS = 60_000;

export interface Followed {
  readonly job: Job;
  readonly view: RunView;
  /** Somebody at this process asked for a stop. */
  readonly wasAsked: boolean;
  /** True when a second signal ended the run at once. */
  readonly wasAborted: boolean;
}

/**
 * Shows the stream of a run that this process executes until it ends or parks; owns the signals
 * meanwhile.
 */
export async function followHandle(options: FollowOptions): Promise<Followed> {
  const { handle, screen } = options;
  const stream = new AbortController();
  const { patienceMs = STOP_PATIENCE_MS } = options;
  let asked = 0;
  let late: NodeJS.Timeout | undefined;
  // The one handler: for signals, and for Ctrl-C where the terminal sends it as a byte.
  const onInterrupt = (): void => {
    asked += 1;
    if (asked > 1) {
      handle.abort();
      return;
    }
    const isElsewhere = handle.isElsewhere === true;
    screen.say(
      `stopping ${handle.job.id}: model calls are aborted, other running steps finish first ` +
        (isElsewhere
          ? '(where it is executed); press Ctrl-C again to stop watching'
          : `(${patienceMs / 1000} s at most); press Ctrl-C again to end them at once`),
    );
    if (isElsewhere) {
      handle.stop(options.by).catch((error: unknown) => screen.say(`it was not asked to stop: ${String(error)}`));
      return;
    }
    late = setTimeout(() => {
      screen.say(`the steps in flight have not ended within ${patienceMs / 1000} s; they are cut off`);
      handle.abort();
    }, patienceMs);
    // A stop that cannot be recorded must not take the process down: the second signal still ends
    // the run.
    handle.stop(options.by).catch(() => undefined);
  };
  const release = onSignals(options.events, onInterrupt);
  screen.onInterrupt(onInterrupt);
  const fold = new RunFold(EMPTY_RUN);
  try {
    let shownSeq = options.afterSeq;
    const show = async (): Promise<void> => {
      for await (const event of handle.events(shownSeq, stream.signal)) {
        fold.add(event);
        screen.event(event, () => fold.view);
        shownSeq = event.seq;
      }
    };
    // A log that cannot be read now says nothing of the run, which goes on beside it.
    const isShown = show().then(
      () => true,
      () => false,
    );
    const { text } = screen;
    if (text !== null) void showTexts(handle.texts(stream.signal), text).catch(() => undefined);
    const job = await handle.done;
    if (!(await isShown)) await show();
    await screen.end(job);
    return { job, view: fold.view, wasAsked: asked > 0, wasAborted: asked > 1 };
  } finally {
    clearTimeout(late);
    stream.abort();
    screen.close();
    release();
  }
}

async function showTexts(texts: AsyncIterable<StreamedText>, show: (piece: StreamedText) => void): Promise<void> {
  for await (const piece of texts) show(piece);
}
