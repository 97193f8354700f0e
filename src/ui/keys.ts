/** What the terminal sends for Ctrl-C and Ctrl-Z while keys are read one by one. */
const INTERRUPT = 0x03;
const SUSPEND = 0x1a;

/** What keys mean; every key that a live screen knows stands here. */
export interface KeyHandlers {
  /** Ctrl-C, once for each press. */
  readonly onInterrupt: () => void;
  /** Ctrl-Z. */
  readonly onSuspend: () => void;
}

/**
 * Keys of a terminal, read without echo until `close`; `pause` gives the terminal back for a while.
 */
export interface Keys {
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Reads keys one by one. Without it the terminal would echo what is typed into the drawn frame;
 * with it Ctrl-C and Ctrl-Z are bytes and no signals. However the process ends, `onExit` puts the
 * terminal back.
 */
export function readKeys(stdin: NodeJS.ReadStream, handlers: KeyHandlers, onExit: JobControl['onExit']): Keys {
  const onData = (data: Buffer | string): void => {
    for (const byte of Buffer.from(data)) {
      if (byte === INTERRUPT) handlers.onInterrupt();
      else if (byte === SUSPEND) handlers.onSuspend();
    }
  };
  // A terminal that went away ends the reading; the hangup signal says the rest.
  const onError = (): void => undefined;
  const setRaw = (isRaw: boolean): void => {
    try {
      stdin.setRawMode(isRaw);
    } catch {
      // The terminal is gone; there is nothing to put back.
    }
  };
  const restore = (): void => setRaw(false);
  stdin.on('error', onError);
  stdin.on('data', onData);
  const release = onExit(restore);
  setRaw(true);
  stdin.resume();
  return {
    pause: () => setRaw(false),
    resume: () => setRaw(true),
    close: () => {
      release();
      stdin.off('data', onData);
      setRaw(false);
      stdin.pause();
      // Node would wait for another key before it ends.
      stdin.unref();
    },
  };
}

/** Stopping and continuing this process from a terminal. */
export interface JobControl {
  /** Stops this process and those it was started with; returns when it goes on. */
  suspend(): void;
  /** Tells when this process goes on; gives the way to stop listening. */
  onContinued(handler: () => void): () => void;
  /** Tells when this process ends, however it does; gives the way to stop listening. */
  onExit(handler: () => void): () => void;
}
