import { KitError } from '../../domain/errors.js';
import type { Fence } from '../../domain/job.js';
import type { RunWrite } from '../../domain/journal.js';
import { assertNever } from '../../lib/assert-never.js';
import type { EventOwner } from '../event-row.js';
import { restingStatuses } from '../family.js';
import type { PreparedWrite } from '../prepared-write.js';
import { runLater } from '../program.js';
import { discardResults } from '../prune-journal.js';
import { stoppedOnRequest } from '../recovery.js';
import { leaseLost, stepRefused } from '../refusals.js';
import { refuseEnd, requireOneEnd } from '../run-ended.js';
import { endJobParams, requireDiscardable, withoutPark } from '../run-writes.js';
import { WAIT_REMOTE } from '../sql/remote.js';
import { encodeStep } from '../step-row.js';
import { ADD_UNGATED_IN_POSTGRES, ungatedIn } from '../ungated.js';
import type { Appended } from './appended-events.js';
import { askPeople, isSettled, openRound } from './apply-reviews.js';
import { endAbandoned } from './end-abandoned.js';
import type { LockedJob } from './locked-jobs.js';
import { CLEAR_CRASHES, PARK_JOB, SET_NEEDS, SHARE_JOBS, WAIT_JOB } from './sql/jobs.js';
import { FIND_RESULT } from './sql/retention.js';
import { READ_OPEN_NOTES, SET_NOTES } from './sql/steps.js';
import type { Transaction } from './transaction.js';
import { wakeCaller } from './wake-caller.js';

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
  const owner: EventOwner = { jobId: fence.jobId, labels: row.labels, correlationId: row.correlation_id };
  const appended: Appended[] = [];
  for (const item of prepared) appended.push(...(await applyOne(tx, { ...batch, item, row, owner })));
  if (row.crashes > 0 && prepared.some(({ write }) => write.op === 'step.ended'))
    await tx.run(CLEAR_CRASHES, { jobId: fence.jobId });
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
      return parkRun(tx, one, write);
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
      if (write.opens !== undefined) await openRound(tx, jobId, write.opens);
      if (write.asks !== undefined) await askPeople(tx, jobId, write.asks);
      return;
    }
    case 'step.noted': {
      const open = await tx.get<{ notes: string }>(READ_OPEN_NOTES, { jobId, key: write.key });
      if (open === undefined) throw stepRefused(write.key, 'is not open');
      if (Object.keys(write.notes).length === 0) return;
      await tx.run(SET_NOTES, {
        jobId,
        key: write.key,
        notes: JSON.stringify({ ...JSON.parse(open.notes), ...write.notes }),
      });
      return;
    }
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
  await wakeCaller(tx, one.row, { hasEnded: true, eventId: one.uuid() });
  await runLater(tx, discardResults({ sql: FIND_RESULT, params: { jobId } }, discard, tx.now));
  return appended;
}

/**
 * Parks unless something that the run waits for is settled already: the decision came before, and
 * wakes nobody any more (docs/design/journal.md#waking). A stop that was requested while the run
 * was still busy is honoured here: once it is parked nobody would see it.
 */
async function parkRun(
  tx: Transaction,
  one: OneWrite,
  write: Extract<RunWrite, { op: 'run.parked' }>,
): Promise<readonly Appended[]> {
  const { row, fence, owner } = one;
  refuseEnd(write.events);
  if (row.stop_requested_at !== null) {
    const appended = await tx.append(owner, withoutPark(write.events));
    const job = { ...row, status: 'running' as const };
    return [
      ...appended,
      ...(await endAbandoned(tx, job, { end: stoppedOnRequest(row.stop_requested_by), eventId: one.uuid() })),
    ];
  }
  if ((write.autoResume || write.wakeAfterMs !== undefined) && (await isOver(tx, write))) return [];
  for (const key of write.remote ?? []) await tx.run(WAIT_REMOTE, { jobId: fence.jobId, key, now: tx.now });
  const waitingOn = JSON.stringify(write.waitingOn);
  if (write.needs !== undefined) await tx.run(SET_NEEDS, { jobId: fence.jobId, needs: JSON.stringify(write.needs) });
  if (write.wakeAfterMs !== undefined)
    await tx.run(WAIT_JOB, { jobId: fence.jobId, waitingOn, wakeAt: tx.nowPlus(write.wakeAfterMs) });
  else {
    await tx.run(PARK_JOB, {
      jobId: fence.jobId,
      waitingOn,
      error: write.error,
      autoResume: write.autoResume ? 1 : 0,
      now: tx.now,
    });
    await wakeCaller(tx, row, { hasEnded: false, eventId: one.uuid() });
  }
  return tx.append(owner, write.events);
}

async function isOver(tx: Transaction, write: Extract<RunWrite, { op: 'run.parked' }>): Promise<boolean> {
  const resting: readonly string[] = restingStatuses(write);
  const runs = await tx.all<{ status: string }>(SHARE_JOBS, { jobIds: write.waitingOn });
  return runs.some(({ status }) => resting.includes(status)) || (await isSettled(tx, write.waitingOn));
}
