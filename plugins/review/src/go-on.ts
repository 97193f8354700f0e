import {
  type Followed,
  followHandle,
  type GoneOn,
  isKitError,
  type Job,
  openScreen,
  type ProcessIo,
  type ProcessSettings,
  type RunScreen,
  type RunsApp,
} from '@kit-run/kit/command';
import { eventLine } from '@kit-run/kit/text/event-line';
import type { RunAfterDecision } from '@kit-run/kit/text/item-text';

/**
 * What `--resume` and `--no-resume` say; neither: this process may take the run when nobody else
 * does.
 */
export type ResumeWish = boolean | undefined;

/** Where the progress of a run is shown once a full screen is gone. */
export interface Behind {
  /** Aborted: whoever decided has gone, and what nobody has claimed is left. */
  readonly signal: AbortSignal;
  /** This process has the run. */
  readonly onTaken: () => void;
  /** The screen over the run, which may hold back what is printed and passes on Ctrl-C. */
  readonly screen: (below: RunScreen) => RunScreen;
}

export interface GoOnOptions {
  readonly runs: Pick<RunsApp, 'goOn'>;
  readonly settings: ProcessSettings;
  readonly io: ProcessIo;
  readonly isJson: boolean;
  readonly color: boolean;
  readonly workspace: string;
  readonly job: Job;
  readonly by: string;
  readonly wish: ResumeWish;
  /** Last event that the decision wrote: what comes later is shown. */
  readonly afterSeq: number;
  /** Absent: nothing stands in front of it. */
  readonly behind?: Behind;
}

/**
 * Goes on with the run that a decision woke, where that is asked for or allowed, and shows its
 * progress on stderr. The decision stands whatever becomes of the run: a run that cannot go on here
 * is left, and the reason is said.
 */
export async function goOnAfter(options: GoOnOptions): Promise<RunAfterDecision> {
  const { job, wish } = options;
  if (wish === false) return { job, resumed: 'left', why: 'asked to leave it with --no-resume' };
  const gone = await attempt(options);
  if (gone.kind === 'left') return { job: gone.job, resumed: 'left', why: gone.why };
  options.behind?.onTaken();
  const followed = await show(options, gone);
  return { job: followed.job, resumed: 'here', why: null };
}

async function attempt({ runs, workspace, job, by, wish, behind }: GoOnOptions): Promise<GoneOn> {
  try {
    const mode = wish === true ? 'insist' : 'offer';
    const signal = behind === undefined ? {} : { signal: behind.signal };
    return await runs.goOn({ workspace, job: job.id, by, mode, ...signal });
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { kind: 'left', job, why: error.hint === undefined ? error.message : `${error.message} (${error.hint})` };
  }
}

async function show(options: GoOnOptions, { handle }: Extract<GoneOn, { kind: 'taken' }>): Promise<Followed> {
  const { settings, io, isJson, color, by } = options;
  const quiet = isJson || settings.quiet;
  const screen = openScreen({
    stderr: io.stderr,
    isJson: false,
    quiet,
    verbose: false,
    color,
    readsKeys: false,
    openLive: null,
    eventLine,
    logJson: () => undefined,
  });
  // A fold needs the whole log; what came before the decision is known.
  const after: RunScreen = {
    ...screen,
    event: (event, view) => (event.seq > options.afterSeq ? screen.event(event, view) : undefined),
  };
  const over = options.behind?.screen(after) ?? after;
  return followHandle({ handle, afterSeq: 0, by, screen: over, events: io.events });
}
