import type { WhyReport } from '../app/review/review-app.js';

/** What to type after a run that failed, and what has to come before it helps. */
export interface GoOnView {
  /** null = nothing. */
  readonly fact: string | null;
  /** One command line, ready to paste. */
  readonly line: string;
}

/** How the end of a run is shown. */
export interface SummaryView {
  readonly color: boolean;
  /** Adds a line per agent and per model. */
  readonly verbose: boolean;
  /** The tree of agents stands above already: no line per agent. */
  readonly hasTree?: boolean;
  /** Only the output. */
  readonly quiet: boolean;
  /** How the user named the workspace, as an argument to paste; '' = none is needed. */
  readonly workspaceArgument: string;
  /** What `RunRenderers.goOn` said of it; absent = nobody goes on with it. */
  readonly goOn?: GoOnView | null;
  /**
   * What a parked run waits for: who can act, and the lines to paste; absent = it could not be
   * read.
   */
  readonly waiting?: Pick<WhyReport, 'gates' | 'items'>;
}
