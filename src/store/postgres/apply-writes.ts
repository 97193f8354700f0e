import { KitError } from '../../domain/errors.js';
import type { RunEvent } from '../../domain/events.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import { inTurn, onceKnown, type Soon } from '../../lib/soon.js';
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
export function applyWrites(tx: Transaction, batch: Batch): Soon<void> {
  const { fence, prepared } = batch;
  return onceKnown(tx.fenced(fence), (row): Soon<void> => {
    if (row === undefined) throw leaseLost(fence);
    const run = { ...batch, row, owner: ownerOf(row) };
    const applied = inTurn(prepared, (item) => applyOne(tx, run, item));
    if (row.crashes === 0 || !prepared.some(({ write }) => write.op === 'step.ended')) return applied;
    return onceKnown(applied, () => tx.setJobs(CLEAR_CRASHES, { jobId: fence.jobId }).then(nothing));
  });
}

const nothing = (): void => undefined;

/** The run of a batch. */
interface OneRun extends Batch {
  readonly row: LockedJob;
  readonly owner: EventOwner;
}

function applyOne(tx: Transaction, run: OneRun, item: PreparedWrite): Soon<void> {
  const { write } = item;
  switch (write.op) {
    case 'step.started':
    case 'step.noted':
    case 'step.ended': {
      refuseEnd(write.events);
      const applied = applyStep(tx, run, item, write);
      return applied instanceof Promise
        ? applied.then(() => writeEvents(tx, run.owner, write.events))
        : writeEvents(tx, run.owner, write.events);
    }
    case 'run.ended':
      return endRun(tx, run, item, write);
    case 'run.parked': {
      const { fence, row, uuid } = run;
      const at = (plusMs = 0): string => tx.nowPlus(plusMs);
      return onceKnown(runSoon(tx, parkRun(JOB_WORDS, { jobId: fence.jobId, row, write, at, uuid })), nothing);
    }
    default:
      return assertNever(write);
  }
}

const writeEvents = (tx: Transaction, owner: EventOwner, events: readonly RunEvent[]): Soon<void> =>
  inTurn(events, (event) => tx.writeEvent(owner, event));

type StepWrite = Extract<RunWrite, { op: `step.${string}` }>;

function applyStep(tx: Transaction, run: OneRun, { outcome }: PreparedWrite, write: StepWrite): Soon<void> {
  const { jobId } = run.fence;
  switch (write.op) {
    case 'step.started': {
      if (write.row.jobId !== jobId) throw stepRefused(write.row.key, `belongs to run ${write.row.jobId}`);
      const row = { ...encodeStep(write.row, outcome), job_id: jobId, key: write.row.key };
      return onceKnown(tx.startStep(row), (isStarted): Soon<void> => {
        if (!isStarted) throw stepRefused(write.row.key, 'already has a result');
        return askAbout(tx, jobId, write);
      });
    }
    case 'step.noted':
      return onceKnown(runSoon(tx, noteStep(JOB_WORDS, { run: run.row.ord, jobId }, write)), nothing);
    case 'step.ended': {
      const usage = encodeUsage(write.usage);
      const result = {
        outcome: outcome.inline,
        outcomeSha256: outcome.sha256,
        usage,
        units: write.units,
        endedAt: write.endedAt,
      };
      return onceKnown(tx.endStep({ jobId, key: write.key, ...result }), (isEnded): Soon<void> => {
        if (!isEnded) throw stepRefused(write.key, 'is not open');
        const add = (gate: string) => tx.run(ADD_UNGATED_IN_POSTGRES, { jobId, gate }).then(nothing);
        return inTurn(ungatedIn(write.events), add);
      });
    }
    default:
      return assertNever(write);
  }
}

/** What a step that has begun asks of people. */
function askAbout(tx: Transaction, jobId: string, { opens, asks }: Extract<StepWrite, { op: 'step.started' }>) {
  const opened = opens === undefined ? undefined : onceKnown(runSoon(tx, openRound(jobId, opens)), nothing);
  return asks === undefined ? opened : onceKnown(opened, () => onceKnown(runSoon(tx, askPeople(jobId, asks)), nothing));
}

type EndWrite = Extract<RunWrite, { op: 'run.ended' }>;

function endRun(tx: Transaction, run: OneRun, item: PreparedWrite, write: EndWrite): Soon<void> {
  const { end, events } = write;
  const ended = requireOneEnd(end, events);
  return onceKnown(tx.hasEvent(ended.eventId), (isThere): Soon<void> => {
    if (isThere) {
      throw new KitError(
        'KIT_INTERNAL',
        'the event of this end is already in the log: a run that was resumed ends under a new event id',
      );
    }
    requireDiscardable(end, write.discard ?? []);
    const written = writeEvents(tx, run.owner, events);
    const params = { ...endJobParams(run.fence, write, item.diffsSha256), status: end.status };
    const over = onceKnown(written, () => tx.endJob(run.row, params));
    return onceKnown(over, () => afterEnd(tx, run, write));
  });
}

function afterEnd(tx: Transaction, { row, fence, uuid }: OneRun, { discard = [] }: EndWrite): Soon<void> {
  const { jobId } = fence;
  const woken =
    row.caller_job_id === null
      ? undefined
      : onceKnown(runSoon(tx, wakeCaller(row, { hasEnded: true, eventId: uuid(), now: tx.now })), nothing);
  if (discard.length === 0) return woken;
  const words = { sql: FIND_RESULT, PRUNE_RESULT, params: { jobId } };
  return onceKnown(woken, () => onceKnown(runSoon(tx, discardResults(words, discard, tx.now)), nothing));
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
