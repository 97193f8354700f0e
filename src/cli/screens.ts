import type { StreamedText } from '../app/runs/text-feed.js';
import type { InboxOptions, TopOptions } from '../app/screens.js';
import type { Job } from '../domain/job.js';
import type { RunView } from '../view/run-view.js';

/**
 * What takes the terminal. Each is loaded with React when it is asked for: early, because it takes
 * a while, and on a terminal alone.
 */
export interface Screens {
  loadTop(): Promise<OpenTop>;
  loadInbox(): Promise<OpenInbox>;
  /** The live tree. */
  loadLiveRun(): Promise<OpenLiveRun>;
}

/**
 * Takes the terminal for a page that is read again and again; resolves when it was left, with the
 * terminal as it was found.
 */
export type OpenTop = (options: TopOptions) => Promise<'quit' | 'interrupted'>;

/**
 * Takes the terminal for the inbox of one person; resolves when it was left, with the terminal as
 * it was found.
 */
export type OpenInbox = (options: InboxOptions) => Promise<'quit' | 'interrupted'>;

/** Takes the terminal for the live tree of one run, on stderr: stdout carries the result alone. */
export type OpenLiveRun = (options: LiveRunOptions) => LiveRun;

/** How the live tree is shown. */
export interface LiveRunOptions {
  readonly color: boolean;
  /** Adds tool calls and streamed text. */
  readonly verbose: boolean;
  /** stdin is a terminal: its keys are read, and Ctrl-C comes as a byte. */
  readonly readsKeys: boolean;
}

/**
 * The live tree of one run. Whatever ends the command: `close` leaves the terminal as it was found.
 */
export interface LiveRun {
  /** Told at each Ctrl-C that comes as a byte; signals go their own way to the same handler. */
  onInterrupt(handler: () => void): void;
  /** The run has changed: `view` gives it as it is when the next frame is drawn. */
  show(view: () => RunView): void;
  text(piece: StreamedText): void;
  /** A line that stays above the tree. */
  say(text: string): void;
  /** Leaves the whole tree as it ended in the scrollback, and gives the terminal back. */
  end(job: Pick<Job, 'status' | 'waitingOn'>): Promise<void>;
  /** Gives the terminal back; nothing after `end`. */
  close(): void;
}
