import type { ExecutorContext, ExecutorRequest, ExecutorResult, ProcessResult } from '@kit-run/kit/plugin';
import type { AdapterSpec } from '../adapter/spec.js';
import { isRefusedByProgram } from '../gate/claude-hook.js';
import type { OpenGate } from '../gate/open-gate.js';
import { type Breach, conclude } from '../interpret/conclude.js';
import { flush, fold, type HarnessState, INITIAL } from '../interpret/fold.js';
import { interpretLine } from '../interpret/line.js';
import type { MappedEvent } from '../interpret/mapped-event.js';
import type { LaunchPlan } from '../launch/plan.js';
import { type Activity, idleFor, spentBudget, tellSilence } from './guard.js';
import { failed } from './refuse.js';

/** The longest line that is read (docs/design/execution.md#sessions). */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const STDERR_TAIL_BYTES = 16 * 1024;
const SILENCE_MS = 60_000;

export interface HarnessRun {
  readonly adapter: AdapterSpec;
  readonly plan: LaunchPlan;
  readonly request: ExecutorRequest;
  readonly context: ExecutorContext;
  /** Null: the program asks nobody. */
  readonly gate: OpenGate | null;
}

/**
 * True when the program itself could not be started. A cause may be an error or the bare facts of
 * one.
 */
function isMissingProgram(error: unknown): boolean {
  for (
    let current = error;
    typeof current === 'object' && current !== null;
    current = 'cause' in current ? current.cause : null
  ) {
    if ('code' in current && current.code === 'ENOENT') return true;
  }
  return false;
}

const modelOf = ({ config }: ExecutorRequest): string => (typeof config.model === 'string' ? config.model : '');

/** A call that was made, well or badly, and of which the gate was never asked. */
function isUngoverned(gate: OpenGate | null, event: MappedEvent): boolean {
  if (gate === null || event.type !== 'tool_call' || event.status === '') return false;
  if (event.id !== null && gate.answers.has(event.id)) return false;
  return event.status === 'ok' || !isRefusedByProgram(event.summary);
}

/**
 * Reads the stream to its end, whatever it says: results may come twice, and only the end is the
 * end.
 */
async function readStream(
  run: HarnessRun,
  lines: AsyncIterable<string>,
  activity: Activity,
  breach: (why: Breach) => void,
): Promise<HarnessState> {
  const { adapter, context, request } = run;
  let state: HarnessState = INITIAL;
  for await (const line of lines) {
    activity.lastLineAt = context.clock.now();
    for (const event of interpretLine(adapter, line)) {
      if (adapter.isOpaque && event.type === 'usage') continue;
      if (isUngoverned(run.gate, event)) breach('ungoverned');
      const folded = fold(state, event);
      state = folded.state;
      activity.openCalls = Object.keys(state.openCalls).length;
      for (const recorded of folded.events) await context.emit(recorded);
    }
    const spent = spentBudget(state, request.budget, { prices: adapter.prices, model: modelOf(request) });
    if (spent !== null) breach(spent);
  }
  const last = flush(state);
  for (const recorded of last.events) await context.emit(recorded);
  return last.state;
}

/**
 * Starts the harness, reads it to EOF under its budgets, and says what came of it. Never throws for
 * what a harness does.
 */
export async function runHarness(run: HarnessRun): Promise<ExecutorResult> {
  const { adapter, plan, request, context } = run;
  const stop = new AbortController();
  const watch = new AbortController();
  const activity: Activity = { lastLineAt: context.clock.now(), openCalls: 0 };
  let broken: Breach | null = null;
  const breach = (why: Breach): void => {
    broken ??= why;
    stop.abort();
  };
  const child = context.spawn(
    {
      argv: plan.argv,
      cwd: request.sandboxRoot,
      env: plan.env,
      stdin: plan.stdin,
      maxLineBytes: MAX_LINE_BYTES,
      stderrTailBytes: STDERR_TAIL_BYTES,
      idleTimeoutMs: null,
      timeoutMs: request.budget.maxWallClockMs,
      maxOutputBytes: null,
      ...(plan.afterwards === undefined ? {} : { afterwards: plan.afterwards }),
    },
    stop.signal,
  );
  idleFor(request.budget.maxIdleMs, activity, context.clock, watch.signal).then(
    () => breach('idle'),
    () => {},
  );
  tellSilence(SILENCE_MS, { activity, clock: context.clock, signal: watch.signal }, (text) =>
    context.emit({ type: 'message', role: 'warning', text }),
  ).catch(() => {});
  // Both are awaited below; a failed start must not surface as an unhandled rejection while lines
  // are read.
  const done: Promise<ProcessResult | unknown> = child.done.catch((error: unknown) => error);
  try {
    const state = await readStream(run, child.lines, activity, breach);
    await done;
    return conclude(adapter, state, {
      end: await child.done,
      breach: broken,
      answers: run.gate?.answers ?? null,
      model: modelOf(request),
    });
  } catch (error) {
    stop.abort();
    await done;
    if (isMissingProgram(error))
      return failed('command_not_found', error instanceof Error ? error.message : String(error));
    throw error;
  } finally {
    watch.abort();
  }
}
