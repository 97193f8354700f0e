import type { Job } from '../../domain/job.js';

/**
 * Where a run stands among those that go on from each other, or which one asked for it; none for a
 * run that stands alone.
 */
export function lineTexts(
  { id, source, parentJobId }: Pick<Job, 'id' | 'source' | 'parentJobId'>,
  line: readonly string[] = [id],
): readonly string[] {
  const runs =
    line.length < 2 ? [] : [`line of runs: ${line.map((one) => (one === id ? `${one} (this)` : one)).join(' → ')}`];
  return source === 'agent' && parentJobId !== null ? [`asked for by run ${parentJobId}`, ...runs] : runs;
}
