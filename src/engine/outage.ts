import type { StepRow } from '../domain/journal.js';
import type { Wait } from '../domain/wait.js';

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
  /** The patience of the run was used up here: no step of it waits again. Absent = it was not. */
  readonly spent?: boolean;
};

/** The note of an outage; undefined = the step never waited for one. */
export function outageOf(notes: StepRow['notes']): OutageNote | undefined {
  return notes.outage as OutageNote | undefined;
}

/** It has a row without a result, and yet it is not in doubt: nothing of it took effect. */
export const isNotDone = (row: StepRow): boolean => row.outcome === null && outageOf(row.notes)?.not_done === true;

/** What of its notes a step keeps when it is started again: from here on it may take effect. */
export function notesOnStart({ notes }: StepRow): StepRow['notes'] {
  const outage = outageOf(notes);
  return outage === undefined ? notes : { ...notes, outage: { ...outage, not_done: false } };
}

/** What the id of such a wait begins with: it is that of no gate, item or run. */
const OUTAGE_WAIT = 'outage:';

/**
 * What a run waits for that met an outage, in call order. All its steps wait for the longest of
 * their waits: nobody is asked sooner than it wants.
 */
export function outageWaits(rows: Iterable<StepRow>): readonly Wait[] {
  const waits: Wait[] = [];
  for (const row of rows) {
    if (!isNotDone(row)) continue;
    const { tries, wait_ms: wakeAfterMs } = outageOf(row.notes) as OutageNote;
    const text = `${row.key} waits for another side that is down, try ${tries}`;
    waits.push({ id: `${OUTAGE_WAIT}${row.key}`, text, isUnderWay: true, wakeAfterMs });
  }
  return waits;
}
