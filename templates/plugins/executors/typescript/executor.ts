import type { ExecutorContext, ExecutorRequest, ExecutorResult } from '@kit-run/kit/plugin';
import { defineExecutor } from '@kit-run/kit/plugin';

const MAX_LINE_BYTES = 1024 * 1024;
const STDERR_TAIL_BYTES = 4096;

/** A failure is a result with a reason, never a throw. */
const failure = (reason: string, message: string, more: Partial<ExecutorResult> = {}): ExecutorResult => ({
  status: 'failure',
  reason,
  message,
  output: null,
  usage: null,
  exitCode: null,
  signal: null,
  stderrTail: '',
  ...more,
});

/**
 * Runs the program of the configuration with the task on its stdin; the lines that it prints are
 * the answer.
 */
async function run(request: ExecutorRequest, context: ExecutorContext): Promise<ExecutorResult> {
  const stop = new AbortController();
  const child = context.spawn(
    {
      argv: request.config.command as [string, ...string[]],
      cwd: request.sandboxRoot,
      env: context.env,
      stdin: request.statement,
      maxLineBytes: MAX_LINE_BYTES,
      stderrTailBytes: STDERR_TAIL_BYTES,
      idleTimeoutMs: request.budget.maxIdleMs,
      timeoutMs: request.budget.maxWallClockMs,
      maxOutputBytes: null,
    },
    stop.signal,
  );
  // an Error when the program could not be started
  const ended = child.done.catch((error) => error);
  const lines = [];
  try {
    for await (const line of child.lines) {
      lines.push(line);
      // Durable before the program is read on. When it cannot be recorded, the run is no longer
      // ours: end the program and pass it on.
      await context.emit({ type: 'message', role: 'assistant', text: line });
    }
  } catch (error) {
    stop.abort();
    throw error;
  }
  const end = await ended;
  if (end instanceof Error) return failure('command_not_found', end.message);
  const { exitCode, signal, stderrTail } = end;
  if (end.ended !== null)
    return failure(end.ended, `kit ended the program: ${end.ended}`, { exitCode, signal, stderrTail });
  if (exitCode !== 0)
    return failure('exit_code', `the program exited with ${exitCode}`, { exitCode, signal, stderrTail });
  return {
    status: 'success',
    reason: null,
    message: '',
    output: lines.join('\n'),
    usage: null,
    exitCode,
    signal,
    stderrTail,
  };
}

/** Executor `sample-name`. */
export const contribution = defineExecutor({ create: () => ({ run }) });
