import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { ProcessWorld, StdoutGuard } from '../cli/process-io.js';

/** Codes of a write to a pipe that nobody reads, and to a terminal that is gone. */
const GONE: readonly (string | undefined)[] = ['EPIPE', 'EIO'];

/**
 * A reader of stdout that went away (`kit logs | head`, a closed window) is not an error: the
 * process ends quietly with 0. A command whose work must not be cut off says so; its writes then
 * lead nowhere and its own exit code counts.
 */
function guardStdout(stdout: NodeJS.WriteStream, exit: (code: number) => void): StdoutGuard {
  const closed = new AbortController();
  let goesOn = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) return;
    // oclif listens after this, and throws at whatever it does not know by this code: a run would
    // die with its window.
    error.code = 'EPIPE';
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

/** What is said on stderr is for people: that nobody hears it ends no run. */
function guardStderr(stderr: NodeJS.WriteStream): void {
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.includes(error.code)) throw error;
  });
}

/** The process that this is: the one place that hands its globals on. Call it once. */
export function processWorld(): ProcessWorld {
  guardStderr(process.stderr);
  return {
    env: process.env,
    cwd: process.cwd(),
    // Asked for, a stream of Node opens its descriptor: most commands leave stdin alone.
    get stdin() {
      return process.stdin;
    },
    stdinKind: isatty(0) ? 'terminal' : isFileOrPipe(0) ? 'input' : 'none',
    stdout: process.stdout,
    stderr: process.stderr,
    stdoutGuard: guardStdout(process.stdout, process.exit),
    events: process,
    own: process,
    exit: process.exit,
    get exitCode() {
      return process.exitCode;
    },
    set exitCode(code) {
      process.exitCode = code;
    },
  };
}

function isFileOrPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFile() || stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}
