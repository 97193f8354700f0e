import type { StoredEvent } from '../../domain/events.js';
import { reportedEnd } from '../../domain/reported-end.js';

export type EventOf<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/** Which part of a log a trace tells. */
export interface Bounds {
  /** The event at which the run parked or ended: the last one that is told. */
  readonly last: StoredEvent;
  /**
   * What has a higher number belongs to the segment; 0: the run was neither parked nor stopped
   * before.
   */
  readonly afterSeq: number;
}

/** What the events before a certain one say of the segment, kept while they pass. */
export interface Passed {
  readonly started: EventOf<'run.started'>;
  /**
   * When the run was made runnable: its submit, or the last time that it was resumed. Null: nothing
   * of the segment has come.
   */
  readonly readyMs: number | null;
  readonly isResumed: boolean;
  /**
   * When the first step of the run was recorded, and the first one within the segment; null: none
   * was.
   */
  readonly runStepMs: number | null;
  readonly firstStepMs: number | null;
}

/**
 * The events of a run up to one at which it parked or ended, and what of them happened since it
 * last did so.
 */
export interface Segment extends Bounds, Omit<Passed, 'readyMs' | 'isResumed'> {
  readonly readyMs: number;
  /** False: it was parked or stopped before. */
  readonly isFirst: boolean;
}

/**
 * Whether a segment ends with an event. An end that was found written for a process that died was
 * told by nobody who worked on the run: what came before it belongs to the next segment, and comes
 * twice at worst.
 */
export const closesSegment = (event: StoredEvent): boolean =>
  (event.type === 'run.parked' || event.type === 'run.ended') && reportedEnd(event)?.reason !== 'process_died';

export const msOf = ({ timestamp }: Pick<StoredEvent, 'timestamp'>): number => Date.parse(timestamp);

export const nothingPassed = (started: EventOf<'run.started'>): Passed => ({
  started,
  readyMs: null,
  isResumed: false,
  runStepMs: null,
  firstStepMs: null,
});

export function pass(passed: Passed, event: StoredEvent, { afterSeq }: Bounds): Passed {
  const isWithin = event.seq > afterSeq;
  const resumes = isWithin && event.type === 'run.resumed' && !passed.isResumed && afterSeq > 0;
  const isStep = event.stepKey !== null;
  // Most events change nothing of it.
  if (
    !resumes &&
    !(isWithin && passed.readyMs === null) &&
    !(isStep && (passed.runStepMs === null || (isWithin && passed.firstStepMs === null)))
  )
    return passed;
  return {
    ...passed,
    readyMs: resumes || (isWithin && passed.readyMs === null) ? msOf(event) : passed.readyMs,
    isResumed: passed.isResumed || resumes,
    runStepMs: passed.runStepMs ?? (isStep ? msOf(event) : null),
    firstStepMs: passed.firstStepMs ?? (isStep && isWithin ? msOf(event) : null),
  };
}

export const segmentOf = (bounds: Bounds, { isResumed: _, readyMs, ...passed }: Passed): Segment => ({
  ...bounds,
  ...passed,
  readyMs: readyMs ?? msOf(bounds.last),
  isFirst: bounds.afterSeq === 0,
});
