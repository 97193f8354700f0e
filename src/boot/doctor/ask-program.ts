import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

const ANSWER_MS = 4_000;
const MAX_BYTES = 64 * 1024;

/** First line that a program says; null when it is not there, fails, or says nothing in time. */
export function askProgram(argv: readonly [string, ...string[]], env: Readonly<Record<string, string>>): Promise<string | null> {
  const [file, ...args] = argv;
  return new Promise((resolve) => {
    execFile(file, args, { env, timeout: ANSWER_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES, encoding: 'utf8' }, (error, stdout) => {
      const line = stdout.split('\n')[0]?.trim() ?? '';
      resolve(error === null && line !== '' ? line : null);
    });
  });
}

/** Where a program lies, as a shell would find it; null = nowhere. It is not started. */
export async function whichProgram(binary: string, path: string | undefined): Promise<string | null> {
  const candidates = isAbsolute(binary) ? [binary] : (path ?? '').split(delimiter).flatMap((folder) => (folder === '' ? [] : [join(folder, binary)]));
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return null;
}
