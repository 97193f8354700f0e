import type { ExecutorResult, GateAnswer, ProcessResult } from '@kit-run/kit/plugin';
import type { AdapterSpec } from '../adapter/spec.js';
import type { HarnessState } from './fold.js';
import type { ResultStatus } from './mapped-event.js';
import { type SessionPrices, totalUsage } from './usage.js';

/** Why the driver itself ended the harness. */
export type Breach = 'max_turns' | 'max_cost' | 'idle' | 'ungoverned' | 'deferred' | 'other_session';

/** What kit answered to each call that the program announced, by its id; null: it asked nobody. */
export type GateAnswers = ReadonlyMap<string, GateAnswer['verdict']> | null;

interface Verdict {
  readonly status: ResultStatus;
  readonly reason: string | null;
  readonly message: string;
}

const BREACHES: Readonly<Record<Breach, Verdict>> = {
  max_turns: {
    status: 'budget_exceeded',
    reason: 'max_turns',
    message: 'the harness took more turns than its budget allows',
  },
  max_cost: { status: 'budget_exceeded', reason: 'max_cost', message: 'the harness cost more than its budget allows' },
  other_session: {
    status: 'failure',
    reason: 'session_gone',
    message: 'the program went on with another session than the one that people decided about',
  },
  idle: {
    status: 'stalled',
    reason: 'idle',
    message: 'the harness showed no activity for longer than max_idle_seconds',
  },
  ungoverned: {
    status: 'failure',
    reason: 'ungoverned',
    message: 'the harness made a call without asking whether it may: its hook was not run',
  },
  deferred: {
    status: 'needs_approval',
    reason: 'tool_deferred',
    message: 'the session was ended at a call that people decide about',
  },
};

const ENDED: Readonly<Record<Exclude<ProcessResult['ended'], null>, Verdict>> = {
  timeout: {
    status: 'budget_exceeded',
    reason: 'wall_clock',
    message: 'the harness ran longer than max_wall_clock_minutes',
  },
  idle: BREACHES.idle,
  aborted: { status: 'cancelled', reason: 'aborted', message: 'the harness was stopped' },
  line_too_long: {
    status: 'failure',
    reason: 'line_too_long',
    message: 'the harness wrote a line that exceeds the limit',
  },
  output_too_large: {
    status: 'failure',
    reason: 'output_too_large',
    message: 'the harness wrote more than the limit allows',
  },
};

/** Lines and characters of stderr that a message quotes; the result carries the whole tail. */
const QUOTED_LINES = 5;
const QUOTED_CHARS = 600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes start with this control character.
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

function describeExit(end: ProcessResult): string {
  const how = end.signal === null ? `exit ${end.exitCode}` : `signal ${end.signal}`;
  const quoted = end.stderrTail
    .replace(ANSI, '')
    .trim()
    .split('\n')
    .slice(-QUOTED_LINES)
    .join('\n')
    .slice(-QUOTED_CHARS);
  return quoted === '' ? how : `${how}: ${quoted}`;
}

/**
 * A harness that ended by itself: success needs the terminal event AND the exit code, and nothing
 * left unanswered.
 */
function verdictOf(adapter: AdapterSpec, state: HarnessState, end: ProcessResult, answers: GateAnswers): Verdict {
  const { result } = state;
  const exitOk = end.signal === null && end.exitCode === adapter.successExitCode;
  if (result === null) {
    const refused = exitOk ? refusal(adapter, state, answers) : null;
    if (refused !== null) return refused;
    if (exitOk)
      return {
        status: 'failure',
        reason: 'no_terminal_event',
        message: `the harness ended without a terminal event (${describeExit(end)})`,
      };
    return { status: 'failure', reason: end.signal === null ? 'exit_code' : 'signal', message: describeExit(end) };
  }
  if (hasDeferred(answers) && result.status === 'success') {
    return {
      status: 'failure',
      reason: 'gate_lost',
      message: 'a call was put off until people decide, and the harness went on without it',
    };
  }
  if (result.status !== 'success') {
    return {
      status: result.status,
      reason: result.reason ?? `reported_${result.status}`,
      message: result.message ?? describeExit(end),
    };
  }
  if (!exitOk) {
    return {
      status: 'failure',
      reason: end.signal === null ? 'exit_code' : 'signal',
      message: `the harness reported success and then ended with ${describeExit(end)}`,
    };
  }
  const refused = refusal(adapter, state, answers);
  if (refused !== null) return refused;
  if (state.questions.length > 0 && adapter.onUnanswerable !== 'deny') {
    return {
      status: 'needs_approval',
      reason: 'input_requested',
      message: `the harness asked and nobody could answer: ${state.questions.join('; ')}`,
    };
  }
  return { status: 'success', reason: null, message: '' };
}

/** Characters of each refused call that are quoted. */
const QUOTED_CALL_CHARS = 200;

/** What was refused is undone work, however politely the harness ends; null = nothing was. */
function refusal({ onUnanswerable }: AdapterSpec, state: HarnessState, answers: GateAnswers): Verdict | null {
  const approvals = unanswered(state, answers);
  if (approvals.length === 0 || onUnanswerable === 'deny') return null;
  const calls = approvals.map(({ capability, rationale }) =>
    `${capability} ${rationale}`.trim().slice(0, QUOTED_CALL_CHARS),
  );
  return {
    status: 'needs_approval',
    reason: 'approval_requested',
    message: `the harness was refused and nobody could be asked: ${[...new Set(calls)].join('; ')}`,
  };
}

/** The call that was put off; null: none was. */
const firstDeferred = (answers: GateAnswers): string | null =>
  [...(answers ?? [])].find(([, verdict]) => verdict === 'defer')?.[0] ?? null;
const hasDeferred = (answers: GateAnswers): boolean => firstDeferred(answers) !== null;

/** Refusals of which the model was told why, by kit, are not open questions. */
const unanswered = ({ approvals }: HarnessState, answers: GateAnswers): HarnessState['approvals'] =>
  approvals.filter(({ id }) => id === null || answers?.get(id) !== 'deny');

/** The call at which the program put itself down as it was told to; null = it did no such thing. */
function deferredCall(state: HarnessState, end: ProcessResult, answers: GateAnswers): string | null {
  if (state.result?.status !== 'needs_approval' || end.exitCode !== 0) return null;
  return state.approvals.find(({ id }) => id !== null && answers?.get(id) === 'defer')?.id ?? null;
}

export interface EndOfRun extends Pick<SessionPrices, 'model'> {
  readonly end: ProcessResult;
  readonly breach: Breach | null;
  readonly answers: GateAnswers;
}

/** The result of one harness run, from everything it said and how its process ended. Pure. */
export function conclude(
  adapter: AdapterSpec,
  state: HarnessState,
  { end, breach, answers, model }: EndOfRun,
): ExecutorResult {
  const ended = breach === null ? (end.ended === null ? null : ENDED[end.ended]) : BREACHES[breach];
  const deferred =
    breach === 'deferred' ? firstDeferred(answers) : ended === null ? deferredCall(state, end, answers) : null;
  const verdict = ended ?? verdictOf(adapter, state, end, answers);
  return {
    ...verdict,
    output: state.result?.output ?? state.lastAnswer,
    usage: totalUsage(state.usage, { prices: adapter.prices, model }),
    exitCode: end.exitCode,
    signal: end.signal,
    stderrTail: end.stderrTail.replace(ANSI, ''),
    ...(state.version === null && state.model === null
      ? {}
      : { program: { version: state.version, model: state.model } }),
    ...(verdict.status === 'success' && state.result?.outcome ? { outcome: state.result.outcome } : {}),
    ...(verdict.status === 'success' || state.result?.httpStatus === undefined
      ? {}
      : { refusedStatus: state.result.httpStatus }),
    ...(deferred === null ? {} : { deferredCall: deferred }),
  };
}
