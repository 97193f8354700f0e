import type { StepRow } from '../domain/journal.js';
import type { ModelFailure } from '../domain/ports/model.js';
import { fractionOf } from './derive.js';
import { type OutageNote, outageOf } from './outage.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';
import { Unfinished } from './unfinished.js';

/** The other side is down or has no room: what asks again later may be answered. */
export interface Down {
  /** `provider.network`, `tool.unreachable`. */
  readonly reason: string;
  /** Id of the provider or of the tool server. */
  readonly name?: string;
  /** What the other side asks to wait, in milliseconds; null or NaN = it asks for nothing. */
  readonly retryAfterMs: number | null;
}

const DOWN: ReadonlySet<ModelFailure['kind']> = new Set(['rate_limited', 'overloaded', 'server', 'network']);

/** Null for a failure of anything but a provider that is down. */
export const providerDown = ({ provider, failure: { kind, retryAfterMs } }: TargetFailure): Down | null =>
  DOWN.has(kind) ? { reason: `provider.${kind}`, name: provider, retryAfterMs: retryAfterMs ?? null } : null;

/** Why one of the models of a call did not answer. */
export interface TargetFailure {
  readonly provider: string;
  readonly failure: ModelFailure;
}

/** What a run waits for: the first of them that is down. */
export const anyDown = (failures: readonly TargetFailure[]): Down | null =>
  failures.map(providerDown).find((down) => down !== null) ?? null;

/** The failure of the model that was asked for, with what the others said. */
export function allOf([first, ...others]: readonly TargetFailure[]): ModelFailure {
  if (first === undefined) throw new Error('a call without a failure did not fail');
  const more = others.map(({ provider, failure }) => `; ${provider}: ${failure.message}`).join('');
  return { ...first.failure, message: `${first.failure.message}${more}` };
}

/** A longer pause is not a matter of one call: the run waits for it. */
const LONGEST_PAUSE_MS = 10_000;

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

interface Outage {
  /** What the step has waited so far; undefined = not at all. */
  readonly earlier: OutageNote | undefined;
  /** KIT_OUTAGE_PATIENCE_S of the run in milliseconds. */
  readonly patienceMs: number;
  /** Spreads runs that met the same outage. */
  readonly seed: string;
}

/**
 * How long a run waits for what is down: 5 s, 10 s, 20 s, at most a minute, and up to a second
 * more, never below what the other side asks for. The last wait is cut so that the patience is used
 * up and no more. Null = the patience does not last.
 */
function nextWait({ retryAfterMs }: Down, { earlier, patienceMs, seed }: Outage): OutageNote | null {
  const tries = (earlier?.tries ?? 0) + 1;
  const waitedMs = earlier?.waited_ms ?? 0;
  const leftMs = patienceMs - waitedMs;
  const askedMs = Number.isNaN(retryAfterMs) ? 0 : (retryAfterMs ?? 0);
  if (leftMs <= 0 || askedMs > leftMs) return null;
  const growingMs =
    Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10)) +
    Math.floor(1000 * fractionOf(`${seed}\noutage\n${tries}`));
  const waitMs = Math.min(leftMs, Math.max(growingMs, askedMs));
  return { tries, waited_ms: waitedMs + waitMs, wait_ms: waitMs, not_done: true };
}

/** A run whose patience one step has used up does not begin anew with the next one. */
function isPatienceSpent(rows: Iterable<StepRow>): boolean {
  for (const { notes } of rows) if (outageOf(notes)?.spent === true) return true;
  return false;
}

/** Who asks the other side. */
export interface Asking {
  readonly key: string;
  readonly agentId: string;
  readonly skillId: string | null;
  /** False for what no agent asked for: the run has its answer already. */
  readonly isAwaited: boolean;
}

/** What one step does about another side that is down. */
export interface Outages {
  /** Longest pause within the call, in milliseconds; Infinity for a run that does not wait. */
  readonly longestPauseMs: number;
  /**
   * Throws `Unfinished` with the reason `outage` where the run is to wait, once that is on the
   * journal; returns where the failure is the call's result, at once where nothing is down.
   */
  waitFor(down: Down | null): Promise<void>;
}

/** The patience is frozen with the run; a snapshot from before has none. */
export function outagesOf(services: RunServices, asking: Asking, context: StepContext): Outages {
  const { clock, snapshot, steps } = services;
  const { key, agentId, skillId, isAwaited } = asking;
  const earlier = outageOf(context.notes);
  const patienceMs = isAwaited ? 1000 * Number(snapshot.env.KIT_OUTAGE_PATIENCE_S ?? 0) : 0;
  const isPatient = patienceMs > 0 && !isPatienceSpent(steps.deps.session.all());
  return {
    longestPauseMs: isPatient ? LONGEST_PAUSE_MS : Number.POSITIVE_INFINITY,
    waitFor: async (down) => {
      if (down === null || !isPatient) return;
      const outage = nextWait(down, { earlier, patienceMs, seed: context.stepId });
      if (outage === null) {
        if (earlier !== undefined) await context.note({ outage: { ...earlier, not_done: false, spent: true } });
        return;
      }
      const until = new Date(clock.now() + outage.wait_ms).toISOString();
      const who = down.name === undefined ? {} : { name: down.name };
      const payload = { key, reason: down.reason, tries: outage.tries, until, ...who };
      await context.note({ outage }, [{ type: 'step.waiting', agentId, skillId, payload }]);
      throw new Unfinished('outage');
    },
  };
}
