import type { Job } from '../../domain/job.js';

/**
 * Where a run stands among those that go on from each other, or which one asked for it; none for a
 * run that stands alone.
 */
export function lineTexts(
  { id, callerJobId }: Pick<Job, 'id' | 'callerJobId'>,
  line: readonly string[] = [id],
): readonly string[] {
  const runs =
    line.length < 2 ? [] : [`line of runs: ${line.map((one) => (one === id ? `${one} (this)` : one)).join(' → ')}`];
  return callerJobId === null ? runs : [`asked for by run ${callerJobId}`, ...runs];
}
