import { KitError } from '../../domain/errors.js';
import type { StoredEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import { restingStatuses } from '../family.js';
import type { PreparedWrite } from '../prepared-write.js';
import { runNow } from '../program.js';
import { discardResults } from '../prune-journal.js';
import { stoppedOnRequest } from '../recovery.js';
import { stepRefused } from '../refusals.js';
import { refuseEnd, requireOneEnd } from '../run-ended.js';
import { endJobParams, requireDiscardable, withoutPark } from '../run-writes.js';
import { WAIT_REMOTE } from '../sql/remote.js';
import type { StoredOutcome } from '../step-row.js';
import { ADD_UNGATED_IN_SQLITE, ungatedIn } from '../ungated.js';
import type { Append, StepEventIds } from './append-events.js';
import { askPeople, isSettled, openRound, withdrawReviews } from './apply-reviews.js';
import { countUsage } from './count-usage.js';
import { isoAt } from './deps.js';
import { endAbandoned } from './end-abandoned.js';
import { type FencedRow, forgetRun, openRun } from './open-run.js';
import { FIND_EVENT } from './sql/events.js';
import { ARE_RUNS_SETTLED, CLEAR_CRASHES, END_JOB, PARK_JOB, SET_NEEDS, WAIT_JOB } from './sql/jobs.js';
import { FIND_RESULT } from './sql/retention.js';
import { END_STEP, READ_OPEN_NOTES, SET_NOTES, START_STEP } from './sql/steps.js';
import type { SqlRunner } from './sql-runner.js';
import { endValues, startValues } from './step-values.js';
import { wakeCaller } from './wake-caller.js';
import type { WriterMemo } from './write-queue.js';

export interface Batch {
  readonly fence: Fence;
  /** What is known under this fence. */
  readonly stepEvents: StepEventIds;
  readonly prepared: readonly PreparedWrite[];
  readonly nowMs: number;
  readonly uuid: () => string;
}

/**
 * One batch of a run in the open write transaction. Throws KIT_LEASE_LOST before anything is
 * written.
 */
export function applyWrites(sql: SqlRunner, memo: WriterMemo, batch: Batch): readonly StoredEvent[] {
  const { fence, prepared } = batch;
  const run = openRun(sql, memo, batch);
  const { row, append } = run;
  const stored = prepared.flatMap((item) => applyOne(sql, { ...batch, item, row, append }));
  if (row.crashes > 0 && prepared.some(({ write }) => write.op === 'step.ended')) {
    sql.run(CLEAR_CRASHES, { jobId: fence.jobId });
    run.row = { ...row, crashes: 0 };
  }
  // The lease ends with either: what comes after it is to be refused.
  if (prepared.some(({ write }) => write.op === 'run.ended' || write.op === 'run.parked')) forgetRun(memo, fence.jobId);
  return stored;
}

interface OneWrite extends Batch {
  readonly item: PreparedWrite;
  readonly row: FencedRow;
  readonly append: Append;
}

function applyOne(sql: SqlRunner, one: OneWrite): readonly StoredEvent[] {
  const { item, append } = one;
  const { write } = item;
  switch (write.op) {
    case 'step.started':
    case 'step.noted':
    case 'step.ended':
      refuseEnd(write.events);
      applyStep(sql, { run: one.row.ord, jobId: one.fence.jobId, write, outcome: item.outcome });
      return append(write.events);
    case 'run.ended':
      return endRun(sql, one, write);
    case 'run.parked':
      return parkRun(sql, one, write);
    default:
      return assertNever(write);
  }
}

interface StepWrite {
  readonly run: number;
  readonly jobId: string;
  readonly write: Extract<RunWrite, { op: `step.${string}` }>;
  readonly outcome: StoredOutcome;
}

function applyStep(sql: SqlRunner, { run, jobId, write, outcome }: StepWrite): void {
  switch (write.op) {
    case 'step.started': {
      if (write.row.jobId !== jobId) throw stepRefused(write.row.key, `belongs to run ${write.row.jobId}`);
      if (sql.runInOrder(START_STEP, startValues(run, write.row, outcome)) === 0)
        throw stepRefused(write.row.key, 'already has a result');
      if (write.opens !== undefined) openRound(sql, jobId, write.opens);
      if (write.asks !== undefined) askPeople(sql, jobId, write.asks);
      return;
    }
    case 'step.noted': {
      const open = sql.get<{ notes: string }>(READ_OPEN_NOTES, { run, key: write.key });
      if (open === undefined) throw stepRefused(write.key, 'is not open');
      if (Object.keys(write.notes).length === 0) return;
      const notes = JSON.stringify({ ...JSON.parse(open.notes), ...write.notes });
      sql.run(SET_NOTES, { run, key: write.key, notes });
      return;
    }
    case 'step.ended': {
      if (sql.runInOrder(END_STEP, endValues(run, write, outcome)) === 0) throw stepRefused(write.key, 'is not open');
      for (const gate of ungatedIn(write.events)) sql.run(ADD_UNGATED_IN_SQLITE, { jobId, gate });
      return;
    }
    default:
      assertNever(write);
  }
}

function endRun(sql: SqlRunner, one: OneWrite, write: Extract<RunWrite, { op: 'run.ended' }>): readonly StoredEvent[] {
  const { end, events, discard = [] } = write;
  const ended = requireOneEnd(end, events);
  if (sql.get(FIND_EVENT, { run: one.row.ord, eventId: ended.eventId }) !== undefined) {
    throw new KitError(
      'KIT_INTERNAL',
      'the event of this end is already in the log: a run that was resumed ends under a new event id',
    );
  }
  const stored = one.append(events);
  sql.run(END_JOB, { ...endJobParams(one.fence, write, one.item.diffsSha256), now: isoAt(one.nowMs) });
  countUsage(sql, { run: one.row.ord, jobId: one.fence.jobId });
  withdrawReviews(sql, one.fence.jobId, end.status);
  wakeCaller(sql, { ...one.row, id: one.fence.jobId }, { hasEnded: true, eventId: one.uuid(), now: isoAt(one.nowMs) });
  requireDiscardable(end, discard);
  const results = { sql: FIND_RESULT, params: { run: one.row.ord } };
  runNow(sql, discardResults(results, discard, isoAt(one.nowMs)));
  return stored;
}

/**
 * Parks unless something that the run waits for is settled already: the decision came before, and
 * wakes nobody any more (docs/design/journal.md#waking). A stop that was requested while the run
 * was still busy is honoured here: once it is parked nobody would see it.
 */
function parkRun(
  sql: SqlRunner,
  one: OneWrite,
  write: Extract<RunWrite, { op: 'run.parked' }>,
): readonly StoredEvent[] {
  const { row, fence, append } = one;
  const now = isoAt(one.nowMs);
  refuseEnd(write.events);
  if (row.stop_requested_at !== null) {
    const stored = append(withoutPark(write.events));
    const job = { ...row, id: fence.jobId, status: 'running' as const };
    return [
      ...stored,
      ...endAbandoned(sql, job, { end: stoppedOnRequest(row.stop_requested_by), eventId: one.uuid(), now }),
    ];
  }
  const waitingOn = JSON.stringify(write.waitingOn);
  const statuses = JSON.stringify(restingStatuses(write));
  const isOver = (): boolean =>
    isSettled(sql, write.waitingOn) ||
    sql.get<{ settled: number }>(ARE_RUNS_SETTLED, { waitingOn, statuses })?.settled === 1;
  if ((write.autoResume || write.wakeAfterMs !== undefined) && isOver()) return [];
  for (const key of write.remote ?? []) sql.run(WAIT_REMOTE, { jobId: fence.jobId, key, now });
  if (write.needs !== undefined) sql.run(SET_NEEDS, { jobId: fence.jobId, needs: JSON.stringify(write.needs) });
  if (write.wakeAfterMs !== undefined)
    sql.run(WAIT_JOB, { jobId: fence.jobId, waitingOn, wakeAt: isoAt(one.nowMs + write.wakeAfterMs) });
  else {
    sql.run(PARK_JOB, { jobId: fence.jobId, waitingOn, error: write.error, autoResume: write.autoResume ? 1 : 0, now });
    wakeCaller(sql, { ...row, id: fence.jobId }, { hasEnded: false, eventId: one.uuid(), now });
  }
  return append(write.events);
}
