import { KitError } from '../../domain/errors.js';
import type { RunEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import { askPeople, openRound, withdrawReviews } from '../apply-reviews.js';
import type { EventOwner } from '../event-row.js';
import type { FencedRow } from '../fenced-row.js';
import { noteStep } from '../note-step.js';
import { parkRun as park } from '../park-run.js';
import type { PreparedWrite } from '../prepared-write.js';
import { runNow } from '../program.js';
import { discardResults } from '../prune-journal.js';
import { stepRefused } from '../refusals.js';
import { refuseEnd, requireOneEnd } from '../run-ended.js';
import { endJobParams, requireDiscardable } from '../run-writes.js';
import { CLEAR_CRASHES } from '../sql/jobs.js';
import type { StoredOutcome } from '../step-row.js';
import { ADD_UNGATED_IN_SQLITE, ungatedIn } from '../ungated.js';
import { wakeCaller } from '../wake-caller.js';
import { type Append, appendEvents, type StepEventIds } from './append-events.js';
import { isoAt } from './deps.js';
import type { WriterMemo } from './entry-work.js';
import { JOB_WORDS } from './job-words.js';
import { forgetRun, openRun } from './open-run.js';
import { runOpen } from './programs.js';
import { endValues, packedId, startValues } from './row-values.js';
import { FIND_EVENT } from './sql/events.js';
import { END_JOB } from './sql/jobs.js';
import { FIND_RESULT, PRUNE_RESULT } from './sql/retention.js';
import { END_STEP, START_STEP } from './sql/steps.js';
import type { SqlRunner } from './sql-runner.js';

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
export function applyWrites(sql: SqlRunner, memo: WriterMemo, batch: Batch): void {
  const { fence, prepared } = batch;
  const run = openRun(sql, memo, batch);
  const { row, append } = run;
  const open: OpenBatch = { ...batch, row, append };
  for (const item of prepared) applyOne(sql, open, item);
  if (row.crashes > 0 && prepared.some(({ write }) => write.op === 'step.ended')) {
    sql.run(CLEAR_CRASHES, { jobId: fence.jobId });
    run.row = { ...row, crashes: 0 };
  }
  // The lease ends with either: what comes after it is to be refused.
  if (prepared.some(({ write }) => write.op === 'run.ended' || write.op === 'run.parked')) forgetRun(memo, fence.jobId);
}

interface OpenBatch extends Batch {
  readonly row: FencedRow;
  readonly append: Append;
}

function applyOne(sql: SqlRunner, open: OpenBatch, { write, outcome, diffsSha256 }: PreparedWrite): void {
  switch (write.op) {
    case 'step.started':
    case 'step.noted':
    case 'step.ended':
      refuseEnd(write.events);
      applyStep(sql, { run: open.row.ord, jobId: open.fence.jobId, write, outcome });
      open.append(write.events);
      return;
    case 'run.ended':
      endRun(sql, open, { write, diffsSha256 });
      return;
    case 'run.parked':
      parkRun(sql, open, write);
      return;
    default:
      assertNever(write);
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
      if (write.opens !== undefined) runNow(sql, openRound(jobId, write.opens));
      if (write.asks !== undefined) runNow(sql, askPeople(jobId, write.asks));
      return;
    }
    case 'step.noted':
      runNow(sql, noteStep(JOB_WORDS, { run, jobId }, write));
      return;
    case 'step.ended': {
      if (sql.runInOrder(END_STEP, endValues(run, write, outcome)) === 0) throw stepRefused(write.key, 'is not open');
      for (const gate of ungatedIn(write.events)) sql.run(ADD_UNGATED_IN_SQLITE, { jobId, gate });
      return;
    }
    default:
      assertNever(write);
  }
}

interface EndWrite extends Pick<PreparedWrite, 'diffsSha256'> {
  readonly write: Extract<RunWrite, { op: 'run.ended' }>;
}

function endRun(sql: SqlRunner, open: OpenBatch, { write, diffsSha256 }: EndWrite): void {
  const { end, events, discard = [] } = write;
  const ended = requireOneEnd(end, events);
  if (sql.get(FIND_EVENT, { run: open.row.ord, eventId: packedId(ended.eventId) }) !== undefined) {
    throw new KitError(
      'KIT_INTERNAL',
      'the event of this end is already in the log: a run that was resumed ends under a new event id',
    );
  }
  open.append(events);
  sql.run(END_JOB, { ...endJobParams(open.fence, write, diffsSha256), now: isoAt(open.nowMs) });
  runNow(sql, withdrawReviews(JOB_WORDS.WITHDRAW_REVIEWS, open.fence.jobId, end.status));
  const wake = { hasEnded: true, eventId: open.uuid(), now: isoAt(open.nowMs) };
  runOpen(sql, wakeCaller({ ...open.row, id: open.fence.jobId }, wake));
  requireDiscardable(end, discard);
  const results = { sql: FIND_RESULT, PRUNE_RESULT, params: { run: open.row.ord } };
  runNow(sql, discardResults(results, discard, isoAt(open.nowMs)));
}

function parkRun(
  sql: SqlRunner,
  { fence, row, append, nowMs, uuid }: OpenBatch,
  write: Extract<RunWrite, { op: 'run.parked' }>,
): void {
  const { jobId } = fence;
  const at = (plusMs = 0): string => isoAt(nowMs + plusMs);
  // What is known of the run knows the end of its chain.
  const open = {
    ...sql,
    append: (owner: EventOwner, events: readonly RunEvent[]) =>
      owner.jobId === jobId ? append(events) : appendEvents(sql, owner, events),
  };
  runNow(open, park(JOB_WORDS, { jobId, row, write, at, uuid }));
}
