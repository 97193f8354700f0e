import type { ExecutorChoice } from '../domain/agent-node.js';
import { isLoginOver } from '../domain/consent.js';
import { isKitError, messageOf } from '../domain/errors.js';
import type { Usage } from '../domain/job.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { ExecutorOutcome, ExecutorResult } from '../domain/ports/executor.js';
import { isReportedCount, isReportedUsd } from '../domain/reported-numbers.js';
import type { Activation } from './activation-call.js';
import type { NewEvent } from './new-event.js';

/** Characters of stderr that are kept. */
export const MAX_STDERR_TAIL = 4096;

/** Whose result it is. */
interface SessionOf {
  readonly activation: Activation;
  readonly executor: Exclude<ExecutorChoice, { kind: 'model' }>;
}

const STATUSES: readonly unknown[] = [
  'success',
  'failure',
  'budget_exceeded',
  'cancelled',
  'needs_approval',
  'stalled',
];

/**
 * What an executor hands back is data from outside. An unknown status is a failure, what is missing
 * is null, and a usage whose numbers are not counts is unknown: it can make nothing succeed and no
 * sum wrong.
 */
export function readExecutorResult(value: ExecutorResult): ExecutorResult {
  const given: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  const isKnown = STATUSES.includes(given.status);
  return {
    status: isKnown ? value.status : 'failure',
    reason: isKnown ? textOr(given.reason, null) : 'unknown_status',
    message: isKnown ? textOr(given.message, '') : 'the executor handed back no known status',
    // Anything that JSON cannot hold becomes null when the result is stored.
    output: (given.output ?? null) as Json,
    usage: isUsage(given.usage) ? given.usage : null,
    exitCode: Number.isInteger(given.exitCode) ? Number(given.exitCode) : null,
    signal: textOr(given.signal, null),
    stderrTail: textOr(given.stderrTail, ''),
    ...outcomeOf(given.outcome),
    ...programOf(given.program),
    ...loginOverOf(given.loginOver),
    ...(isKnown && typeof given.deferredCall === 'string' ? { deferredCall: given.deferredCall } : {}),
  };
}

/** True for an executor that reported a usage, and one that no session can have. */
export const hasWrongUsage = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'usage' in value && value.usage != null && !isUsage(value.usage);

const MAX_OUTCOME_TEXT = 200;

function outcomeOf(value: unknown): { readonly outcome?: ExecutorOutcome } {
  if (typeof value !== 'object' || value === null) return {};
  const { passed, text }: { passed?: unknown; text?: unknown } = value;
  if (typeof passed !== 'boolean' || typeof text !== 'string') return {};
  return { outcome: { passed, text: text.slice(0, MAX_OUTCOME_TEXT) } };
}

function loginOverOf(value: unknown): Pick<ExecutorResult, 'loginOver'> {
  if (typeof value !== 'object' || value === null) return {};
  const { code, message }: { code?: unknown; message?: unknown } = value;
  return typeof code === 'string' && isLoginOver(code) && typeof message === 'string'
    ? { loginOver: { code, message } }
    : {};
}

const MAX_PROGRAM_TEXT = 100;

function programOf(value: unknown): Pick<ExecutorResult, 'program'> {
  if (typeof value !== 'object' || value === null) return {};
  const { version, model }: { version?: unknown; model?: unknown } = value;
  const shortText = (text: unknown): string | null =>
    typeof text === 'string' ? text.slice(0, MAX_PROGRAM_TEXT) : null;
  return { program: { version: shortText(version), model: shortText(model) } };
}

/** What a session came to whose executor threw instead of answering. */
export const threwResult = (error: unknown): ExecutorResult => ({
  ...(isKitError(error) && isLoginOver(error.code) ? { loginOver: { code: error.code, message: error.message } } : {}),
  status: 'failure',
  reason: 'executor_threw',
  message: messageOf(error),
  output: null,
  usage: null,
  exitCode: null,
  signal: null,
  stderrTail: '',
});

function textOr<T>(value: unknown, other: T): string | T {
  return typeof value === 'string' ? value : other;
}

function isUsage(value: unknown): value is Usage {
  if (typeof value !== 'object' || value === null || !('costUsd' in value)) return false;
  const { costUsd, ...counts } = value;
  const names = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];
  const given: Readonly<Record<string, unknown>> = counts;
  return names.every((name) => isReportedCount(given[name])) && (costUsd === null || isReportedUsd(costUsd));
}

/** `executor.result`: how a session ended. */
export function resultEvent(
  session: SessionOf,
  ended: { result: ExecutorResult; diff: string; durationMs: number },
): NewEvent {
  const { result, diff, durationMs } = ended;
  const { executor, activation } = session;
  return {
    type: 'executor.result',
    agentId: activation.node.id,
    skillId: null,
    payload: {
      kind: executor.kind === 'harness' ? 'harness' : executor.ref,
      ref: executor.ref,
      status: result.status,
      reason: result.reason,
      cost_usd: result.usage?.costUsd ?? null,
      input_tokens: result.usage?.inputTokens ?? 0,
      output_tokens: result.usage?.outputTokens ?? 0,
      cached_input_tokens: result.usage?.cachedInputTokens ?? 0,
      reasoning_tokens: result.usage?.reasoningTokens ?? 0,
      diff_bytes: Buffer.byteLength(diff),
      exit_metadata: {
        returncode: result.exitCode,
        signal: result.signal,
        stderr_tail: result.stderrTail.slice(-MAX_STDERR_TAIL),
      },
      duration_ms: durationMs,
      ...programFacts(session, result),
      ...(result.outcome === undefined ? {} : { outcome: { ...result.outcome } }),
    },
  };
}

/** The model is what the program says; else what its configuration asks for. */
function programFacts({ executor }: SessionOf, { program }: ExecutorResult): JsonObject {
  const version = program?.version ?? null;
  const model = program?.model ?? (typeof executor.config.model === 'string' ? executor.config.model : null);
  return { ...(version === null ? {} : { program_version: version }), ...(model === null ? {} : { model }) };
}
