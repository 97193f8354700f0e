import { type Instance, render } from 'ink';
import type { Job } from '../domain/job.js';
import type { Clock } from '../domain/ports/system.js';
import { EMPTY_FRAME, type Frame, finalFrame, liveFrame } from '../text/live/frame.js';
import { type LiveAction, type LiveState, NOTHING_SHOWN, reduceLive } from '../text/live/live-state.js';
import type { RunView } from '../view/run-view.js';
import { FrameView, type Printed, Screen } from './frame-view.js';
import type { JobControl } from './keys.js';
import { type Keys, readKeys } from './keys.js';
import { rowsAfterResize } from './reflow.js';

/** What the live tree stands on. */
export interface LiveParts {
  /** The terminal that is drawn on. */
  readonly stderr: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly clock: Clock;
  /**
   * Asks the terminal for its size now; a change comes as `resize` of `stderr` before this returns.
   */
  readonly refreshSize: () => void;
  /** Log lines would run into the frame: the tree prints them above itself. */
  readonly takeLogLines: (take: (line: string) => void) => () => void;
  readonly jobControl: JobControl;
}

/** How the tree is shown. */
export interface LiveOptions {
  readonly color: boolean;
  /** Adds tool calls and streamed text. */
  readonly verbose: boolean;
  /** stdin is a terminal: its keys are read, and Ctrl-C comes as a byte. */
  readonly readsKeys: boolean;
}

/** Twelve frames a second look smooth enough, and cost little beside forty agents. */
const FRAME_MS = 80;
/** How often running times move when nothing else happens. */
const TICK_MS = 250;
/** Wider than this, figures would stand too far from what they belong to. */
const MAX_COLUMNS = 120;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** Erases the row of the cursor and goes one up. */
const ERASE_ROW = '\u001b[2K\u001b[1A';

/**
 * Takes the terminal and draws the live tree of one run until `end` or `close`. The only owner of
 * Ink's life.
 */
export function openLiveRun(parts: LiveParts, options: LiveOptions): LiveScreen {
  return new LiveScreen(parts, options);
}

class LiveScreen {
  readonly #parts: LiveParts;
  readonly #options: LiveOptions;
  readonly #ink: Instance;
  readonly #keys: Keys | null;
  readonly #open = new AbortController();
  readonly #releases: readonly (() => void)[];
  #onInterrupt: () => void = () => undefined;
  #state: LiveState = NOTHING_SHOWN;
  /** Gives the run as it is now; null = the state has it. */
  #latest: (() => RunView) | null = null;
  #final: Frame | null = null;
  #drawn = { frame: EMPTY_FRAME, columns: 0, atMs: Number.NEGATIVE_INFINITY };
  #isDrawDue = false;

  constructor(parts: LiveParts, options: LiveOptions) {
    this.#parts = parts;
    this.#options = options;
    const { stderr } = parts;
    // Before Ink's own listener: what the terminal made of the frame is erased first.
    stderr.on('resize', this.#resize);
    this.#ink = render(this.#screen(), {
      stdout: stderr,
      stderr,
      stdin: parts.stdin,
      exitOnCtrlC: false,
      maxFps: 30,
      // Whether there is a live tree at all was decided by who opened it.
      interactive: true,
      isScreenReaderEnabled: false,
    });
    this.#keys = options.readsKeys
      ? readKeys(
          parts.stdin,
          { onInterrupt: () => this.#onInterrupt(), onSuspend: this.#suspend },
          parts.jobControl.onExit,
        )
      : null;
    this.#releases = [
      () => stderr.off('resize', this.#resize),
      parts.takeLogLines((line) => this.say(line.trimEnd())),
      parts.jobControl.onContinued(this.#continue),
    ];
    void this.#tick();
  }

  onInterrupt(handler: () => void): void {
    this.#onInterrupt = handler;
  }

  show(view: () => RunView): void {
    this.#latest = view;
    this.#request();
  }

  text(piece: { readonly activation: string; readonly text: string }): void {
    if (this.#options.verbose) this.#change({ kind: 'text', ...piece });
  }

  say(text: string): void {
    this.#change({ kind: 'say', line: { tone: 'plain', text } });
  }

  async end(job: Pick<Job, 'status' | 'waitingOn'>): Promise<void> {
    this.#catchUp();
    this.#state = reduceLive(this.#state, { kind: 'end', job });
    this.#final = finalFrame(this.#state, this.#moment());
    this.#draw();
    this.close();
    await this.#ink.waitUntilExit();
  }

  close(): void {
    if (this.#open.signal.aborted) return;
    this.#open.abort();
    for (const release of this.#releases) release();
    this.#keys?.close();
    this.#ink.unmount();
  }

  #change(action: LiveAction): void {
    // A text belongs to the call that the newest events tell of.
    this.#catchUp();
    this.#state = reduceLive(this.#state, action);
    this.#request();
  }

  #catchUp(): void {
    if (this.#latest === null) return;
    const view = this.#latest();
    this.#latest = null;
    this.#state = reduceLive(this.#state, { kind: 'view', view });
  }

  /** Draws now, or as soon as a frame is due again. */
  #request(): void {
    const { clock } = this.#parts;
    if (this.#open.signal.aborted || this.#isDrawDue) return;
    const waitMs = this.#drawn.atMs + FRAME_MS - clock.now();
    if (waitMs <= 0) {
      this.#draw();
      return;
    }
    this.#isDrawDue = true;
    // A wall clock can go back; a frame waits no longer for that.
    clock.sleep(Math.min(waitMs, FRAME_MS), this.#open.signal).then(
      () => {
        this.#isDrawDue = false;
        this.#draw();
      },
      () => undefined,
    );
  }

  #draw(): void {
    if (this.#open.signal.aborted) return;
    this.#catchUp();
    // The signal of a change can be late, and a frame of the old size would leave pieces of the one
    // before.
    this.#parts.refreshSize();
    this.#ink.rerender(this.#screen());
  }

  /** The screen of this moment; what is drawn is remembered, because a resize has to know it. */
  #screen() {
    const moment = this.#moment();
    const frame = this.#state.end === null ? liveFrame(this.#state, moment) : EMPTY_FRAME;
    this.#drawn = { frame, columns: moment.columns, atMs: moment.nowMs };
    const said: readonly Printed[] = this.#final === null ? this.#state.said : [...this.#state.said, this.#final];
    return <Screen said={said} frame={frame} look={{ color: this.#options.color, columns: moment.columns }} />;
  }

  #moment() {
    const { stderr, clock } = this.#parts;
    return {
      nowMs: clock.now(),
      columns: Math.min(stderr.columns || 80, MAX_COLUMNS),
      rows: stderr.rows || 24,
      verbose: this.#options.verbose,
    };
  }

  async #tick(): Promise<void> {
    while (!this.#open.signal.aborted) {
      await this.#parts.clock.sleep(TICK_MS, this.#open.signal).catch(() => undefined);
      this.#request();
    }
  }

  readonly #resize = (): void => {
    const { frame, columns } = this.#drawn;
    const toColumns = this.#moment().columns;
    if (toColumns < columns && frame.lines.length > 0) {
      const drawn = <FrameView frame={frame} look={{ color: false, columns }} />;
      const rows = rowsAfterResize(drawn, { fromColumns: columns, toColumns });
      this.#parts.stderr.write(ERASE_ROW.repeat(rows - frame.lines.length));
    }
    this.#draw();
  };

  /** Ctrl-Z: the shell gets a clean terminal, and whoever comes back finds the tree again. */
  readonly #suspend = (): void => {
    this.#keys?.pause();
    this.#ink.clear();
    this.#parts.stderr.write(SHOW_CURSOR);
    this.#parts.jobControl.suspend();
    this.#continue();
  };

  readonly #continue = (): void => {
    this.#keys?.resume();
    this.#parts.stderr.write(HIDE_CURSOR);
    this.#draw();
  };
}
