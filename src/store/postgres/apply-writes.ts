import { KitError } from '../../domain/errors.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import { askPeople, openRound } from '../apply-reviews.js';
import { type EventOwner, ownerOf } from '../event-row.js';
import { noteStep } from '../note-step.js';
import { parkRun } from '../park-run.js';
import type { PreparedWrite } from '../prepared-write.js';
import { type Appended, runLater } from '../program.js';
import { discardResults } from '../prune-journal.js';
import { leaseLost, stepRefused } from '../refusals.js';
import { refuseEnd, requireOneEnd } from '../run-ended.js';
import { endJobParams, requireDiscardable } from '../run-writes.js';
import { CLEAR_CRASHES } from '../sql/jobs.js';
import { encodeStep } from '../step-row.js';
import { ADD_UNGATED_IN_POSTGRES, ungatedIn } from '../ungated.js';
import { wakeCaller } from '../wake-caller.js';
import { JOB_WORDS } from './job-words.js';
import type { LockedJob } from './locked-jobs.js';
import { FIND_RESULT } from './sql/retention.js';
import type { Transaction } from './transaction.js';

export interface Batch {
  readonly fence: Fence;
  readonly prepared: readonly PreparedWrite[];
  readonly uuid: () => string;
}

/**
 * One batch of a run in the open write transaction, its row locked. Throws KIT_LEASE_LOST before
 * anything is written.
 */
export async function applyWrites(tx: Transaction, batch: Batch): Promise<readonly Appended[]> {
  const { fence, prepared } = batch;
  const row = await tx.fenced(fence);
  if (row === undefined) throw leaseLost(fence);
  const owner = ownerOf(row);
  const appended: Appended[] = [];
  for (const item of prepared) appended.push(...(await applyOne(tx, { ...batch, item, row, owner })));
  if (row.crashes > 0 && prepared.some(({ write }) => write.op === 'step.ended'))
    await tx.setJobs(CLEAR_CRASHES, { jobId: fence.jobId });
  return appended;
}

interface OneWrite extends Batch {
  readonly item: PreparedWrite;
  readonly row: LockedJob;
  readonly owner: EventOwner;
}

async function applyOne(tx: Transaction, one: OneWrite): Promise<readonly Appended[]> {
  const { write } = one.item;
  switch (write.op) {
    case 'step.started':
    case 'step.noted':
    case 'step.ended':
      refuseEnd(write.events);
      await applyStep(tx, one, write);
      return tx.append(one.owner, write.events);
    case 'run.ended':
      return endRun(tx, one, write);
    case 'run.parked':
      return runLater(
        tx,
        parkRun(JOB_WORDS, {
          jobId: one.fence.jobId,
          row: one.row,
          write,
          at: (plusMs = 0) => tx.nowPlus(plusMs),
          uuid: one.uuid,
        }),
      );
    default:
      return assertNever(write);
  }
}

type StepWrite = Extract<RunWrite, { op: `step.${string}` }>;

async function applyStep(tx: Transaction, one: OneWrite, write: StepWrite): Promise<void> {
  const { jobId } = one.fence;
  const { outcome } = one.item;
  switch (write.op) {
    case 'step.started': {
      if (write.row.jobId !== jobId) throw stepRefused(write.row.key, `belongs to run ${write.row.jobId}`);
      if (!(await tx.startStep({ ...encodeStep(write.row, outcome), job_id: jobId, key: write.row.key })))
        throw stepRefused(write.row.key, 'already has a result');
      if (write.opens !== undefined) await runLater(tx, openRound(jobId, write.opens));
      if (write.asks !== undefined) await runLater(tx, askPeople(jobId, write.asks));
      return;
    }
    case 'step.noted':
      await runLater(tx, noteStep(JOB_WORDS, { run: one.row.ord, jobId }, write));
      return;
    case 'step.ended': {
      const usage = write.usage === null ? null : JSON.stringify(write.usage);
      const result = {
        outcome: outcome.inline,
        outcomeSha256: outcome.sha256,
        usage,
        units: write.units,
        endedAt: write.endedAt,
      };
      if (!(await tx.endStep({ jobId, key: write.key, ...result }))) throw stepRefused(write.key, 'is not open');
      for (const gate of ungatedIn(write.events)) await tx.run(ADD_UNGATED_IN_POSTGRES, { jobId, gate });
      return;
    }
    default:
      assertNever(write);
  }
}

async function endRun(
  tx: Transaction,
  one: OneWrite,
  write: Extract<RunWrite, { op: 'run.ended' }>,
): Promise<readonly Appended[]> {
  const { end, events, discard = [] } = write;
  const { jobId } = one.fence;
  const ended = requireOneEnd(end, events);
  if (await tx.hasEvent(ended.eventId)) {
    throw new KitError(
      'KIT_INTERNAL',
      'the event of this end is already in the log: a run that was resumed ends under a new event id',
    );
  }
  requireDiscardable(end, discard);
  const appended = await tx.append(one.owner, events);
  await tx.endJob(one.row, { ...endJobParams(one.fence, write, one.item.diffsSha256), status: end.status });
  await runLater(tx, wakeCaller(one.row, { hasEnded: true, eventId: one.uuid(), now: tx.now }));
  await runLater(tx, discardResults({ sql: FIND_RESULT, params: { jobId } }, discard, tx.now));
  return appended;
}
