import type { StreamedText } from '../app/runs/text-feed.js';
import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import type { eventLine } from '../text/event-line.js';
import type { RunView } from '../view/run-view.js';
import { toWireEvent } from '../view/schemas/event.js';
import type { LiveRun, OpenLiveRun } from './screens.js';

/**
 * Where the progress of a run is shown. stdout carries the result alone; only JSON Lines go there
 * before it.
 */
export interface RunScreen {
  /**
   * One event after it is durable. `view` gives the run as it is when it is asked: folding costs
   * something, and most screens do not look after each event.
   */
  event(event: StoredEvent, view: () => RunView): void;
  /** What models write meanwhile; null = nobody looks. */
  readonly text: ((piece: StreamedText) => void) | null;
  /** Something that a person has to know now. */
  say(text: string): void;
  /** Takes the handler of Ctrl-C from a terminal that sends it as a byte. */
  onInterrupt(handler: () => void): void;
  /** The run has ended or parked. */
  end(job: Job): Promise<void>;
  /** Gives the terminal back, however the command ends; nothing after `end`. */
  close(): void;
}

/** What the choice of a screen depends on. */
export interface ScreenOptions {
  readonly isJson: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Of stderr. */
  readonly color: boolean;
  /** stdin is a terminal. */
  readonly readsKeys: boolean;
  /** Opens the live tree; null = this is no place for it. */
  readonly openLive: OpenLiveRun | null;
  readonly eventLine: typeof eventLine;
  readonly logJson: (value: unknown) => void;
  readonly stderr: NodeJS.WritableStream;
}

export function openScreen(options: ScreenOptions): RunScreen {
  if (options.openLive !== null) return liveScreen(options.openLive(options), options.verbose);
  const say = (line: string): void => void options.stderr.write(`${line}\n`);
  if (options.isJson) return printing(say, (event) => options.logJson({ type: 'event', ...toWireEvent(event) }));
  if (options.quiet) return printing(say, () => undefined);
  return printing(say, (event) => {
    const line = options.eventLine(event, options);
    if (line !== null) say(line);
  });
}

/** No terminal to take care of: each event is printed, or not. */
const printing = (say: (line: string) => void, event: (event: StoredEvent) => void): RunScreen => ({
  event,
  text: null,
  say,
  onInterrupt: () => undefined,
  end: () => Promise.resolve(),
  close: () => undefined,
});

const liveScreen = (live: LiveRun, verbose: boolean): RunScreen => ({
  event: (_event, view) => live.show(view),
  text: verbose ? (piece) => live.text(piece) : null,
  say: (text) => live.say(text),
  onInterrupt: (handler) => live.onInterrupt(handler),
  end: (job) => live.end(job),
  close: () => live.close(),
});
