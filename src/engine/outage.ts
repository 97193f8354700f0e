import type { StepRow } from '../domain/journal.js';
import type { ModelFailure } from '../domain/ports/model.js';
import type { Wait } from '../domain/wait.js';
import { fractionOf } from './derive.js';

/**
 * What a step that was not done because the other side is down leaves in its row, under
 * `notes.outage` (docs/design/journal.md#outages).
 */
export type OutageNote = {
  /** How often the step was tried and then waited for. */
  readonly tries: number;
  /** Milliseconds that it has waited or is to wait, all in all. */
  readonly waited_ms: number;
  /** Milliseconds of the last wait. */
  readonly wait_ms: number;
  /**
   * True until the step is started again: nothing of it took effect, so it is not in doubt. False
   * while it is tried again.
   */
  readonly not_done: boolean;
};

/** Failures of a provider that is down or has no room: what asks again later may be answered. */
const DOWN: ReadonlySet<ModelFailure['kind']> = new Set(['rate_limited', 'overloaded', 'server', 'network']);

/** A longer pause is no matter of one call: the run waits for it. */
export const LONGEST_PAUSE_MS = 10_000;

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

export interface Outage {
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
export function nextWait(failure: ModelFailure, { earlier, patienceMs, seed }: Outage): OutageNote | null {
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

/** The note of an outage; undefined = the step never waited for one. */
export function outageOf(notes: StepRow['notes']): OutageNote | undefined {
  return notes.outage as OutageNote | undefined;
}

/** It has a row without a result, and yet it is not in doubt: nothing of it took effect. */
export const isNotDone = (row: StepRow): boolean => row.outcome === null && outageOf(row.notes)?.not_done === true;

/** What of its notes a step keeps when it is started again: from here on it may take effect. */
export function notesOnStart(earlier: StepRow | undefined): StepRow['notes'] {
  const outage = earlier === undefined ? undefined : outageOf(earlier.notes);
  if (outage === undefined) return earlier?.notes ?? {};
  return { ...earlier?.notes, outage: { ...outage, not_done: false } };
}

/** A run whose patience one step has used up does not begin anew with the next one. */
export function isPatienceSpent(rows: Iterable<StepRow>): boolean {
  for (const { outcome, notes } of rows) if (outcome?.status === 'failed' && outageOf(notes) !== undefined) return true;
  return false;
}

/** What the id of such a wait begins with: it is that of no gate, item or run. */
export const OUTAGE_WAIT = 'outage:';

/**
 * What a run waits for that met an outage, in call order. All its steps wait for the longest of
 * their waits: nobody is asked sooner than it wants.
 */
export function outageWaits(rows: Iterable<StepRow>): readonly Wait[] {
  const waits: Wait[] = [];
  for (const row of rows) {
    if (!isNotDone(row)) continue;
    const { tries, wait_ms: wakeAfterMs } = outageOf(row.notes) as OutageNote;
    const text = `${row.key} waits for a provider that is down, try ${tries}`;
    waits.push({ id: `${OUTAGE_WAIT}${row.key}`, text, isUnderWay: true, wakeAfterMs });
  }
  return waits;
}
