import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { ProcessWorld } from '../cli/process-io.js';
import { guardStderr, guardStdout } from './stdout-guard.js';

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
