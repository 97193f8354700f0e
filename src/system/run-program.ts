import { execFile } from 'node:child_process';

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Runs a program to its end, without a shell, and keeps what it said. `code` null: it could not be
 * started, took longer than `timeoutMs`, or said more than 64 MiB. `encoding: 'latin1'` keeps each
 * byte of what it said as one character. `input` is what it reads; default nothing.
 */
export const runProgram = (
  [file, ...argv]: readonly [string, ...string[]],
  options: {
    readonly cwd: string;
    readonly env: NodeJS.ProcessEnv;
    readonly timeoutMs: number;
    readonly encoding?: 'utf8' | 'latin1';
    readonly input?: string;
  },
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      file,
      argv,
      {
        cwd: options.cwd,
        env: options.env,
        timeout: options.timeoutMs,
        maxBuffer: MAX_BYTES,
        encoding: options.encoding ?? 'utf8',
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
        resolve({ code, stdout, stderr });
      },
    );
    // A program may end before it has read everything; its exit code tells.
    child.stdin?.on('error', () => {});
    child.stdin?.end(options.input ?? '');
  });
