import type { ProcessEvents } from '../cli/process-io.js';
import type { JobControl } from '../ui/keys.js';

/**
 * Lines of the log of this process on stderr. While a live tree is drawn there, it takes them and
 * prints them above itself.
 */
export interface LogLines {
  /** One line with its newline. */
  readonly write: (line: string) => void;
  /** Hands lines to `take` until the returned function is called. */
  readonly takeOver: (take: (line: string) => void) => () => void;
}

export function createLogLines(stderr: NodeJS.WritableStream): LogLines {
  // A closed terminal must not end a run: the log is for people only.
  const toStderr = (line: string): void => void stderr.write(line, () => {});
  let write = toStderr;
  return {
    write: (line) => write(line),
    takeOver: (take) => {
      write = take;
      return () => {
        write = toStderr;
      };
    },
  };
}

/**
 * Stops and continues this process and those it was started with, as Ctrl-Z does while a terminal
 * makes it a signal.
 */
export const jobControl = (target: ProcessEvents): JobControl => ({
  suspend: () => {
    // Windows has no stopped processes.
    if (target.platform !== 'win32') target.kill(0, 'SIGTSTP');
  },
  onContinued: (handler) => {
    target.on('SIGCONT', handler);
    return () => void target.off('SIGCONT', handler);
  },
  onExit: (handler) => {
    target.once('exit', handler);
    return () => void target.off('exit', handler);
  },
});

/**
 * Node asks the terminal for its size when this signal comes, and at no other time; its listeners
 * are asked to look now.
 */
export const refreshTerminalSize = (target: ProcessEvents): void => void target.emit('SIGWINCH', 'SIGWINCH');
