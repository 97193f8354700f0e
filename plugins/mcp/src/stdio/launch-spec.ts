import type { ProcessSpec } from '@kit-run/kit/plugin';

/**
 * What a line of stdout may have at most; beyond it the server is ended, since no more can be held.
 */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;
const STDERR_TAIL_BYTES = 16 * 1024;

/** How a program is started that lives as long as it is wanted. */
export const launchSpec = (
  argv: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
  stdinParts?: AsyncIterable<string>,
): ProcessSpec => ({
  argv,
  cwd,
  env,
  stdin: '',
  ...(stdinParts === undefined ? {} : { stdinParts }),
  maxLineBytes: MAX_LINE_BYTES,
  stderrTailBytes: STDERR_TAIL_BYTES,
  idleTimeoutMs: null,
  timeoutMs: null,
  maxOutputBytes: null,
});
