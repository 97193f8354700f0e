import type { StdoutGuard } from '../cli/kit-command.js';

/**
 * A reader of stdout that went away (`kit logs | head`) is no error: the process ends quietly with 0. A command whose work
 * must not be cut off says so; its writes then lead nowhere and its own exit code counts.
 */
export function guardStdout(stdout: NodeJS.WriteStream, exit: (code: number) => void): StdoutGuard {
  const closed = new AbortController();
  let goesOn = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') return;
    closed.abort();
    if (!goesOn) exit(0);
  });
  return {
    closed: closed.signal,
    goOnWithout: () => {
      goesOn = true;
    },
  };
}

/** The terminal, or the reader of a pipe, that went away: what is said on stderr is for people, and its loss ends no run. */
const GONE: readonly (string | undefined)[] = ['EPIPE', 'EIO'];

export function guardStderr(stderr: NodeJS.WriteStream): void {
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) throw error;
  });
}
