import type { Job } from '../../domain/job.js';
import type { RunFigures } from '../../domain/run-figures.js';
import { encodeFigures } from '../kept-figures.js';
import type { SqliteDeps } from './deps.js';
import { KEEP_FIGURES } from './sql/jobs.js';

/** See `EndedRuns.keepFigures`. */
export function keepFigures(
  { queue }: Pick<SqliteDeps, 'queue'>,
  { id, attempt }: Pick<Job, 'id' | 'attempt'>,
  figures: RunFigures,
): Promise<void> {
  const params = { jobId: id, attempt, figures: encodeFigures(attempt, figures) };
  return queue.run([], (sql) => void sql.run(KEEP_FIGURES, params));
}
