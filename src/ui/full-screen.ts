import { type Instance, render } from 'ink';
import type { ReactNode } from 'react';
import type { InboxKey } from '../text/inbox/inbox-key.js';
import { readInboxKeys } from './inbox-keys.js';
import type { JobControl, Keys } from './keys.js';

/** The terminal, and who else uses it. */
export interface FullScreenParts {
  readonly stdout: NodeJS.WriteStream;
  readonly stdin: NodeJS.ReadStream;
  readonly jobControl: JobControl;
  /** Log lines would run into the screen: they are kept and written when it is closed. */
  readonly takeLogLines: (take: (line: string) => void) => () => void;
  readonly writeLog: (line: string) => void;
}

/** What a screen shows and what it does with keys. */
export interface FullScreenContent {
  /** What is shown now, for the size of the terminal. */
  readonly view: (size: { readonly columns: number; readonly rows: number }) => ReactNode;
  readonly onKey: (key: Exclude<InboxKey, { readonly kind: 'suspend' }>) => void;
  /** The screen was left: nothing is drawn any more. */
  readonly isLeft: () => boolean;
}

/** Of a terminal that does not say how large it is. */
const COLUMNS = 80;
const ROWS = 24;

/**
 * The terminal's alternate screen with its keys. However it ends, the terminal is as it was found.
 */
export class FullScreen {
  readonly #parts: FullScreenParts;
  readonly #content: FullScreenContent;
  readonly #log: string[] = [];
  #ink: Instance | null = null;
  #keys: Keys | null = null;

  constructor(parts: FullScreenParts, content: FullScreenContent) {
    this.#parts = parts;
    this.#content = content;
  }

  /**
   * Shows the screen while `work` goes on; resolves with what it gives once the terminal is given
   * back. An abort of `signal` is Ctrl-C.
   */
  async during<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { stdout, stdin, takeLogLines, jobControl, writeLog } = this.#parts;
    const { onKey } = this.#content;
    const onAbort = (): void => onKey({ kind: 'interrupt' });
    // A terminal that went away cannot be written to; the hangup signal says the rest.
    const onError = (): void => undefined;
    const releases = [
      takeLogLines((line) => void this.#log.push(line)),
      jobControl.onContinued(() => void this.#continue()),
      () => stdout.off('resize', this.draw),
      () => signal.removeEventListener('abort', onAbort),
    ];
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    stdout.on('error', onError);
    stdout.on('resize', this.draw);
    try {
      this.#open();
      this.#keys = readInboxKeys({ stdin, stdout, jobControl }, (key) =>
        key.kind === 'suspend' ? void this.#suspend() : onKey(key),
      );
      return await work();
    } finally {
      for (const release of releases) release();
      this.#keys?.close();
      await this.#close();
      stdout.off('error', onError);
      for (const line of this.#log) writeLog(line);
    }
  }

  /** What is to be seen has changed. */
  readonly draw = (): void => {
    this.#ink?.rerender(this.#view());
  };

  #view(): ReactNode {
    const { stdout } = this.#parts;
    return this.#content.view({ columns: stdout.columns || COLUMNS, rows: stdout.rows || ROWS });
  }

  #open(): void {
    const { stdout, stdin } = this.#parts;
    const look = { exitOnCtrlC: false, interactive: true, alternateScreen: true, isScreenReaderEnabled: false };
    this.#ink = render(this.#view(), { stdout, stdin, ...look });
  }

  async #close(): Promise<void> {
    const ink = this.#ink;
    this.#ink = null;
    ink?.unmount();
    await ink?.waitUntilExit();
  }

  /** Ctrl-Z: the shell gets a clean terminal, and whoever comes back finds the screen again. */
  async #suspend(): Promise<void> {
    this.#keys?.pause();
    await this.#close();
    this.#parts.jobControl.suspend();
  }

  /**
   * The process was stopped, by its own key or from outside: the screen is not what was drawn last.
   */
  async #continue(): Promise<void> {
    await this.#close();
    if (this.#content.isLeft()) return;
    this.#open();
    this.#keys?.resume();
  }
}
