import type { ExecutorResult } from '@kit-run/kit/plugin';

/** The result of a run that did not come to a process. */
export function failed(reason: string, message: string): ExecutorResult {
  return {
    status: 'failure',
    reason,
    message,
    output: null,
    usage: null,
    exitCode: null,
    signal: null,
    stderrTail: '',
  };
}
