import { KitError } from '../../domain/errors.js';
import type { RunEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import { goThrough, type Soon } from '../../lib/soon.js';
import { askPeople, openRound } from '../apply-reviews.js';
import { type EventOwner, ownerOf } from '../event-row.js';
import { noteStep } from '../note-step.js';
import { parkRun } from '../park-run.js';
import type { PreparedWrite } from '../prepared-write.js';
import { runSoon } from '../program.js';
import { discardResults } from '../prune-journal.js';
import { leaseLost, stepRefused } from '../refusals.js';
import { refuseEnd, requireOneEnd } from '../run-ended.js';
import { endJobParams, requireDiscardable } from '../run-writes.js';
import { CLEAR_CRASHES } from '../sql/jobs.js';
import { encodeStep, encodeUsage } from '../step-row.js';
import { ADD_UNGATED_IN_POSTGRES, ungatedIn } from '../ungated.js';
import { wakeCaller } from '../wake-caller.js';
import { JOB_WORDS } from './job-words.js';
import type { LockedJob } from './locked-jobs.js';
import { FIND_RESULT, PRUNE_RESULT } from './sql/retention.js';
import type { Transaction } from './transaction.js';

export interface Batch {
  readonly fence: Fence;
  readonly prepared: readonly PreparedWrite[];
  readonly uuid: () => string;
}

/**
 * One batch of a run in the open write transaction, its row locked. Over at once where all of it is
 * held until the commit, as nearly every batch is. Throws KIT_LEASE_LOST before anything is
 * written.
 */
export const applyWrites = (tx: Transaction, batch: Batch): Soon<void> =>
  goThrough(applyBatch(tx, batch), (awaited) => awaited);

/** Each yields what has to be waited for, and is given what that came to. */
type Steps<T> = Generator<Promise<unknown>, T, unknown>;

function* applyBatch(tx: Transaction, batch: Batch): Steps<void> {
  const { fence, prepared } = batch;
  const row = yield* waited(tx.fenced(fence));
  if (row === undefined) throw leaseLost(fence);
  const owner = ownerOf(row);
  for (const item of prepared) yield* applyOne(tx, { ...batch, item, row, owner });
  if (row.crashes > 0 && prepared.some(({ write }) => write.op === 'step.ended'))
    yield tx.setJobs(CLEAR_CRASHES, { jobId: fence.jobId });
}

function* waited<T>(answer: Soon<T>): Steps<T> {
  // What a step is given is what it yielded came to.
  return answer instanceof Promise ? ((yield answer) as T) : answer;
}

interface OneWrite extends Batch {
  readonly item: PreparedWrite;
  readonly row: LockedJob;
  readonly owner: EventOwner;
}

function* applyOne(tx: Transaction, one: OneWrite): Steps<void> {
  const { write } = one.item;
  switch (write.op) {
    case 'step.started':
    case 'step.noted':
    case 'step.ended':
      refuseEnd(write.events);
      yield* applyStep(tx, one, write);
      return yield* writeEvents(tx, one.owner, write.events);
    case 'run.ended':
      return yield* endRun(tx, one, write);
    case 'run.parked': {
      const { fence, row, uuid } = one;
      const at = (plusMs = 0): string => tx.nowPlus(plusMs);
      yield* waited(runSoon(tx, parkRun(JOB_WORDS, { jobId: fence.jobId, row, write, at, uuid })));
      return;
    }
    default:
      return assertNever(write);
  }
}

function* writeEvents(tx: Transaction, owner: EventOwner, events: readonly RunEvent[]): Steps<void> {
  for (const event of events) {
    const writing = tx.writeEvent(owner, event);
    if (writing !== undefined) yield writing;
  }
}

type StepWrite = Extract<RunWrite, { op: `step.${string}` }>;

function* applyStep(tx: Transaction, one: OneWrite, write: StepWrite): Steps<void> {
  const { jobId } = one.fence;
  const { outcome } = one.item;
  switch (write.op) {
    case 'step.started': {
      if (write.row.jobId !== jobId) throw stepRefused(write.row.key, `belongs to run ${write.row.jobId}`);
      const row = { ...encodeStep(write.row, outcome), job_id: jobId, key: write.row.key };
      if (!(yield* waited(tx.startStep(row)))) throw stepRefused(write.row.key, 'already has a result');
      if (write.opens !== undefined) yield* waited(runSoon(tx, openRound(jobId, write.opens)));
      if (write.asks !== undefined) yield* waited(runSoon(tx, askPeople(jobId, write.asks)));
      return;
    }
    case 'step.noted':
      yield* waited(runSoon(tx, noteStep(JOB_WORDS, { run: one.row.ord, jobId }, write)));
      return;
    case 'step.ended': {
      const usage = encodeUsage(write.usage);
      const result = {
        outcome: outcome.inline,
        outcomeSha256: outcome.sha256,
        usage,
        units: write.units,
        endedAt: write.endedAt,
      };
      if (!(yield* waited(tx.endStep({ jobId, key: write.key, ...result }))))
        throw stepRefused(write.key, 'is not open');
      for (const gate of ungatedIn(write.events)) yield tx.run(ADD_UNGATED_IN_POSTGRES, { jobId, gate });
      return;
    }
    default:
      assertNever(write);
  }
}

function* endRun(tx: Transaction, one: OneWrite, write: Extract<RunWrite, { op: 'run.ended' }>): Steps<void> {
  const { end, events, discard = [] } = write;
  const { jobId } = one.fence;
  const ended = requireOneEnd(end, events);
  if (yield* waited(tx.hasEvent(ended.eventId))) {
    throw new KitError(
      'KIT_INTERNAL',
      'the event of this end is already in the log: a run that was resumed ends under a new event id',
    );
  }
  requireDiscardable(end, discard);
  yield* writeEvents(tx, one.owner, events);
  yield* waited(tx.endJob(one.row, { ...endJobParams(one.fence, write, one.item.diffsSha256), status: end.status }));
  if (one.row.caller_job_id !== null)
    yield* waited(runSoon(tx, wakeCaller(one.row, { hasEnded: true, eventId: one.uuid(), now: tx.now })));
  if (discard.length > 0)
    yield* waited(runSoon(tx, discardResults({ sql: FIND_RESULT, PRUNE_RESULT, params: { jobId } }, discard, tx.now)));
}

/** Of a run that is known it asks nothing before the commit (`WriteRequest.presumes`). */
export function isHeld({ write }: PreparedWrite): boolean {
  switch (write.op) {
    case 'step.started':
      return write.opens === undefined && write.asks === undefined;
    case 'step.ended':
      return ungatedIn(write.events).length === 0;
    case 'run.ended':
      return write.discard === undefined || write.discard.length === 0;
    case 'step.noted':
    case 'run.parked':
      return false;
    default:
      return assertNever(write);
  }
}
