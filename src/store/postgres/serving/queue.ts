import type { JobStatus } from '../../../domain/job.js';
import type { QueueFigures, ServingStore } from '../../../domain/ports/serving.js';
import { type DepthRow, type OutageRow, queueFigures, SAMPLE, type SampleRow } from '../../queue-figures.js';
import type { PostgresDeps } from '../deps.js';
import { DEPTHS, JOB_COUNTS, OUTAGES, RUNNING, SAMPLES } from '../sql/queue.js';
import { NOW } from '../sql/session.js';

export function queueStats(deps: PostgresDeps): Promise<QueueFigures> {
  return deps.read(async (sql) => {
    const depths = await sql.all<DepthRow>(DEPTHS);
    const running = (await sql.get<{ jobs: number }>(RUNNING))?.jobs ?? 0;
    const outages = await sql.get<OutageRow>(OUTAGES);
    const samples = await sql.all<SampleRow>(SAMPLES, { limit: SAMPLE });
    return queueFigures({ depths, running, outages, samples, now: (await sql.get<{ now: string }>(NOW))?.now ?? '' });
  });
}

export async function jobCounts(deps: PostgresDeps): ReturnType<ServingStore['jobCounts']> {
  const rows = await deps.read((sql) => sql.all<{ status: JobStatus; jobs: number }>(JOB_COUNTS));
  return Object.fromEntries(rows.map((row) => [row.status, row.jobs]));
}
