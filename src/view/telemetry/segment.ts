import type { StoredEvent } from '../../domain/events.js';
import { stepSpan } from '../../domain/trace.js';

export type EventOf<T extends StoredEvent['type']> = Extract<StoredEvent, { type: T }>;

/** The events of a run up to one at which it parked or ended, and what of them happened since it last did so. */
export interface Segment {
  readonly events: readonly StoredEvent[];
  readonly started: EventOf<'run.started'>;
  /** The event that closes the segment. */
  readonly last: StoredEvent;
  /** What has a higher number belongs to the segment. */
  readonly afterSeq: number;
  /** When the run was made runnable: its submit, or the last time that it was resumed. */
  readonly readyMs: number;
  /** False: it was parked or stopped before. */
  readonly isFirst: boolean;
  /** When its first step within the segment was recorded; null: none was. */
  readonly firstStepMs: number | null;
}

const CLOSING: ReadonlySet<string> = new Set(['run.parked', 'run.ended']);

export const msOf = ({ timestamp }: Pick<StoredEvent, 'timestamp'>): number => Date.parse(timestamp);

/** Null for events that do not begin with the submit: of such a run nobody can tell a whole. */
export function segmentOf(events: readonly StoredEvent[]): Segment | null {
  const [started] = events;
  const last = events.at(-1);
  if (started?.type !== 'run.started' || last === undefined) return null;
  const earlier = events.slice(0, -1).findLast(({ type }) => CLOSING.has(type));
  const afterSeq = earlier?.seq ?? 0;
  const within = events.filter(({ seq }) => seq > afterSeq);
  const woken = within.find(({ type }) => type === 'run.resumed') ?? within[0];
  const firstStep = within.find(({ stepKey }) => stepKey !== null);
  return {
    events,
    started,
    last,
    afterSeq,
    readyMs: msOf(earlier === undefined ? started : (woken ?? last)),
    isFirst: earlier === undefined,
    firstStepMs: firstStep === undefined ? null : msOf(firstStep),
  };
}

/** Events with the path of the span that each one's step has: a step that was carried out again counts its attempts. */
export function pathsOf(events: readonly StoredEvent[]): ReadonlyMap<number, string> {
  const attempts = new Map<string, number>();
  const paths = new Map<number, string>();
  for (const event of events) {
    if (event.type === 'step.repeated') attempts.set(event.payload.key, event.payload.attempt);
    if (event.stepKey !== null) paths.set(event.seq, stepSpan(event.stepKey, attempts.get(event.stepKey) ?? 1));
  }
  return paths;
}
