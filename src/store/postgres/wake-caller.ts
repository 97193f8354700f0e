import { callerOf, type Kin, wokenBy } from '../family.js';
import { GET_OWNER, WAKE_JOB, WAKE_WAITING } from './sql/jobs.js';
import type { Transaction } from './transaction.js';

interface Owner {
  readonly topology: string;
  readonly labels: string;
  readonly correlation_id: string | null;
}

/**
 * Wakes the run that waits for this one, in the transaction in which this one came to rest
 * (docs/design/journal.md#waking). One that is about to wait locks the row of this one first, so it
 * is either seen here as waiting, or sees this one at rest.
 */
export async function wakeCaller(
  tx: Transaction,
  child: Kin & { readonly id: string },
  of: { readonly hasEnded: boolean; readonly eventId: string },
): Promise<void> {
  const jobId = callerOf(child);
  const by = of.hasEnded ? `run ${child.id}` : null;
  if (jobId !== null) await wakeRun(tx, jobId, { by, eventId: of.eventId });
}

/**
 * Makes a run that waits claimable; one that executes, or has ended, is left alone. `by`: what has
 * come to an end; null: a run that is deferred stays so.
 */
export async function wakeRun(
  tx: Transaction,
  jobId: string,
  of: { readonly by: string | null; readonly eventId: string },
): Promise<void> {
  if ((await tx.run(WAKE_WAITING, { jobId, now: tx.now })) > 0) return;
  if (of.by === null || (await tx.run(WAKE_JOB, { jobId })) === 0) return;
  const row = await tx.get<Owner>(GET_OWNER, { jobId });
  if (row === undefined) return;
  const owner = { jobId, labels: row.labels, correlationId: row.correlation_id };
  await tx.append(owner, [wokenBy(of.by, { eventId: of.eventId, timestamp: tx.now, topologyId: row.topology })]);
}
