import { execFile } from 'node:child_process';

const ANSWER_MS = 4_000;
const MAX_BYTES = 64 * 1024;

/** First line that a program says; null when it is not there, fails, or says nothing in time. */
export function askProgram(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const [file, ...args] = argv;
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { env, timeout: ANSWER_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES, encoding: 'utf8' },
      (error, stdout) => {
        const line = stdout.split('\n')[0]?.trim() ?? '';
        resolve(error === null && line !== '' ? line : null);
      },
    );
  });
}
