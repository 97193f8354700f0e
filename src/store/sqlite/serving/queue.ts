import type { JobStatus } from '../../../domain/job.js';
import type { QueueFigures, ServingStore } from '../../../domain/ports/serving.js';
import { type DepthRow, type OutageRow, queueFigures, SAMPLE, type SampleRow } from '../../queue-figures.js';
import { isoAt, type SqliteDeps } from '../deps.js';
import { DEPTHS, JOB_COUNTS, OUTAGES, RUNNING, SAMPLES } from '../sql/queue.js';

export function queueStats(deps: SqliteDeps): Promise<QueueFigures> {
  return deps.read((sql) =>
    queueFigures({
      depths: sql.all<DepthRow>(DEPTHS, {}),
      running: sql.get<{ jobs: number }>(RUNNING, {})?.jobs ?? 0,
      outages: sql.get<OutageRow>(OUTAGES, {}),
      samples: sql.all<SampleRow>(SAMPLES, { limit: SAMPLE }),
      now: isoAt(deps.clock.now()),
    }),
  );
}

export async function jobCounts(deps: SqliteDeps): ReturnType<ServingStore['jobCounts']> {
  const rows = await deps.read((sql) => sql.all<{ status: JobStatus; jobs: number }>(JOB_COUNTS, {}));
  return Object.fromEntries(rows.map((row) => [row.status, row.jobs]));
}
