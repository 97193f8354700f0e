import type { DueTimer } from '../domain/ports/reviews.js';

/** A row of the timers table that is due, with the newest round of the gate that it names. */
export interface TimerRecord {
  readonly due_at: string;
  readonly job_id: string;
  readonly key: string;
  readonly kind: string;
  readonly round: number;
}

/** The cast restores what the store itself has written. */
export const decodeTimer = (record: TimerRecord): DueTimer => ({
  jobId: record.job_id,
  kind: record.kind as DueTimer['kind'],
  gateId: record.key,
  round: record.round,
  dueAt: record.due_at,
});
