import type { StepRow } from '../domain/journal.js';
import type { ModelFailure } from '../domain/ports/model.js';
import { fractionOf } from './derive.js';
import type { ModelCall } from './model-call.js';
import { type OutageNote, outageOf } from './outage.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';
import { Unfinished } from './unfinished.js';

/** Failures of a provider that is down or has no room: what asks again later may be answered. */
const DOWN: ReadonlySet<ModelFailure['kind']> = new Set(['rate_limited', 'overloaded', 'server', 'network']);

/** A longer pause is no matter of one call: the run waits for it. */
const LONGEST_PAUSE_MS = 10_000;

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

interface Outage {
  /** What the step has waited so far; undefined = not at all. */
  readonly earlier: OutageNote | undefined;
  /** KIT_OUTAGE_PATIENCE_S of the run in milliseconds; 0 = it does not wait. */
  readonly patienceMs: number;
  /** Spreads runs that met the same outage. */
  readonly seed: string;
}

/**
 * How long a run waits for a provider that is down: 5 s, 10 s, 20 s, at most a minute, and up to a
 * second more, never below what the other side asks for. The last wait is cut so that the patience
 * is used up and no more. Null = it does not wait: the failure is none of a provider that is down,
 * or the patience does not last.
 */
function nextWait(failure: ModelFailure, { earlier, patienceMs, seed }: Outage): OutageNote | null {
  if (!DOWN.has(failure.kind)) return null;
  const tries = (earlier?.tries ?? 0) + 1;
  const waitedMs = earlier?.waited_ms ?? 0;
  const leftMs = patienceMs - waitedMs;
  const askedMs = Number.isNaN(failure.retryAfterMs) ? 0 : (failure.retryAfterMs ?? 0);
  if (leftMs <= 0 || askedMs > leftMs) return null;
  const growingMs =
    Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10)) +
    Math.floor(1000 * fractionOf(`${seed}\noutage\n${tries}`));
  const waitMs = Math.min(leftMs, Math.max(growingMs, askedMs));
  return { tries, waited_ms: waitedMs + waitMs, wait_ms: waitMs, not_done: true };
}

/** A run whose patience one step has used up does not begin anew with the next one. */
function isPatienceSpent(rows: Iterable<StepRow>): boolean {
  for (const { outcome, notes } of rows) if (outcome?.status === 'failed' && outageOf(notes) !== undefined) return true;
  return false;
}

/** What one call of a model does about a provider that is down. */
interface ModelOutages {
  /** Longest pause within the call, in milliseconds; Infinity for a run that does not wait. */
  readonly longestPauseMs: number;
  /**
   * Throws `Unfinished` with the reason `outage` where the run is to wait, once that is on the
   * journal; returns where the failure is the call's result.
   */
  waitFor(failure: ModelFailure): Promise<void>;
}

/**
 * The patience is frozen with the run; a snapshot from before has none. What no agent asked for is
 * not waited for: the run has its answer already.
 */
export function outagesOf(services: RunServices, call: ModelCall, context: StepContext): ModelOutages {
  const { clock, snapshot, steps } = services;
  const earlier = outageOf(context.notes);
  const patienceMs = call.units === 0 ? 0 : 1000 * Number(snapshot.env.KIT_OUTAGE_PATIENCE_S ?? 0);
  const isPatient = patienceMs > 0 && !isPatienceSpent(steps.deps.session.all());
  return {
    longestPauseMs: isPatient ? LONGEST_PAUSE_MS : Number.POSITIVE_INFINITY,
    waitFor: async (failure) => {
      const outage = isPatient ? nextWait(failure, { earlier, patienceMs, seed: context.stepId }) : null;
      if (outage === null) return;
      const payload = {
        key: call.key,
        reason: `provider.${failure.kind}`,
        tries: outage.tries,
        until: new Date(clock.now() + outage.wait_ms).toISOString(),
      };
      const event = { type: 'step.waiting', agentId: call.agentId, skillId: call.skillId, payload } as const;
      await context.note({ outage }, [event]);
      throw new Unfinished('outage');
    },
  };
}
