import { runProgram } from '../../system/run-program.js';

const ANSWER_MS = 4_000;
const MAX_BYTES = 64 * 1024;

/** First line that a program says; null when it is not there, fails, or says nothing in time. */
export async function askProgram(
  argv: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<string | null> {
  const { code, stdout } = await runProgram(argv, {
    env,
    timeoutMs: ANSWER_MS,
    killSignal: 'SIGKILL',
    maxBytes: MAX_BYTES,
  });
  const line = stdout.split('\n')[0]?.trim() ?? '';
  return code === 0 && line !== '' ? line : null;
}
