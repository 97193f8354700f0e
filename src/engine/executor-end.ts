import type { Usage } from '../domain/job.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { ExecutorResult } from '../domain/ports/executor.js';
import { MAX_STDERR_TAIL } from './executor-result.js';
import type { AnswerCheck } from './model-ask.js';
import type { NewEvent } from './new-event.js';
import { thrownEnd } from './step-ends.js';
import type { StepFailure } from './step-failure.js';
import type { StepEnd } from './step-types.js';

/** What a finished session records: its answer and the diff of its worktree. */
export type ExecutorValue = {
  readonly output: Json;
  readonly diff: string;
  /** Whether the output fits its schema, where that may depend on time; absent: it does not. */
  readonly check?: AnswerCheck;
};

/** How a session ended that no takeover cut off. */
export interface SessionEnd {
  readonly result: ExecutorResult;
  readonly diff: string;
  /** `executor.result`. */
  readonly events: readonly NewEvent[];
  /** The failure that its end is, whatever its executor says: a limit around it cut it off. */
  readonly cut: StepFailure | null;
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: null };

/** What the step of a session records. */
export function concludeSession({ result, diff, events, cut }: SessionEnd): StepEnd<ExecutorValue> {
  const usage = result.usage ?? NO_USAGE;
  if (cut !== null) return { ...thrownEnd(cut), usage, events };
  if (result.status === 'success')
    return { outcome: { status: 'ok', value: { output: result.output, diff } }, usage, events };
  const data: JsonObject = {
    status: result.status,
    exit_code: result.exitCode,
    signal: result.signal,
    stderr_tail: result.stderrTail.slice(-MAX_STDERR_TAIL),
    partial_diff: diff,
  };
  return {
    outcome: { status: 'failed', reason: `executor.${result.reason ?? result.status}`, message: result.message, data },
    usage,
    events,
  };
}
