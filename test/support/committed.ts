import type { StoredEvent } from '../../src/domain/events.js';
import type { Fence } from '../../src/domain/job.js';
import type { RunWrite } from '../../src/domain/journal.js';
import type { Stores } from '../../src/domain/ports/stores.js';

/** Commits, and tells what the log of the run holds since. */
export async function committed(
  { runs, events }: Pick<Stores, 'runs' | 'events'>,
  fence: Fence,
  ...batches: readonly (readonly RunWrite[])[]
): Promise<readonly StoredEvent[]> {
  const before = (await events.readRun(fence.jobId, 0, 1_000)).at(-1)?.seq ?? 0;
  await runs.commit(fence, ...batches);
  return events.readRun(fence.jobId, before, 1_000);
}
