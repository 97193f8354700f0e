/**
 * Every kind of durable write of a store, one name each. A new write adds its name here, and the
 * crash test covers it.
 */
export const DURABLE_WRITES = [
  'store.migrate',
  'blob.put',
  'artifact.put',
  'job.insert',
  'job.claim',
  'job.heartbeat',
  'job.release',
  'job.resume',
  'job.stop',
  'job.sweep',
  'run.step_started',
  'run.step_noted',
  'run.step_ended',
  'run.ended',
  'run.parked',
  'run.prune',
  'run.remove',
  'review.change',
  'remote.hold',
  'remote.settle',
  'blob.collect',
  'event.append',
  'serving.access',
  'serving.occurrence',
  'serving.lead',
  'serving.canary',
  'serving.conversation',
  'serving.fleet',
  'memory.write',
  'knowledge.put',
  'sealed.write',
  'sealed.lease',
] as const;

export type DurableWrite = (typeof DURABLE_WRITES)[number];

/** Writes after which a job may be claimable that was not before. */
const MAKES_WORK: ReadonlySet<DurableWrite> = new Set([
  'job.insert',
  'job.release',
  'job.resume',
  'job.sweep',
  'review.change',
  'remote.settle',
]);

export const makesWork = (write: DurableWrite): boolean => MAKES_WORK.has(write);

/**
 * `before`: inside the transaction, nothing is durable yet; `after`: the commit has returned,
 * nobody has been told.
 */
export type FaultPoint = `${DurableWrite}:${'before' | 'after'}`;

/** The table that the crash test enumerates. */
export const FAULT_POINTS: readonly FaultPoint[] = DURABLE_WRITES.flatMap(
  (write) => [`${write}:before`, `${write}:after`] as const,
);

/**
 * Stand around each page of the log that is copied to `storage.audit`: no write of a run, and named
 * by a test of their own.
 */
export const COPY_POINTS = ['audit.copy:before', 'audit.copy:after'] as const;
