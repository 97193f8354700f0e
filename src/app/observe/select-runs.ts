import { KitError } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { JobStore } from '../../domain/ports/stores.js';
import { hintFor } from '../../lib/nearest.js';

const PAGE = 200;

/**
 * The newest runs, newest first, at most `limit`; with `topology` those of that topology alone: a
 * bare name means every version.
 *
 * Throws KIT_FILTER_UNKNOWN when there are runs, and none of that topology.
 */
export async function selectRuns(
  jobs: Pick<JobStore, 'list'>,
  select: { readonly topology: string | null; readonly limit: number },
): Promise<readonly Job[]> {
  const found: Job[] = [];
  const others = new Set<string>();
  for await (const job of newestFirst(jobs, select.topology === null ? select.limit : PAGE)) {
    if (select.topology === null || isOf(job, select.topology)) found.push(job);
    else others.add(topologyName(job));
    if (found.length === select.limit) return found;
  }
  if (found.length === 0 && others.size > 0) throw unknownTopology(select.topology ?? '', [...others].sort());
  return found;
}

/** Every run, the newest first, read in pages. */
export async function* newestFirst(jobs: Pick<JobStore, 'list'>, pageSize: number): AsyncGenerator<Job> {
  let beforeId: string | undefined;
  while (true) {
    const limit = Math.min(pageSize, PAGE);
    const page = await jobs.list({ limit, ...(beforeId === undefined ? {} : { beforeId }) });
    yield* page;
    beforeId = page.at(-1)?.id;
    // The next page of a server is a way to go.
    if (beforeId === undefined || page.length < limit) return;
  }
}

/** Its name without the version that was asked for. */
export const topologyName = ({ topology }: Pick<Job, 'topology'>): string => topology.split('@')[0] ?? topology;

/** True when the run is of `name` in any version, or of exactly `name@version`. */
export function isOf(job: Job, topology: string): boolean {
  if (topology.includes('@')) return topology === `${topologyName(job)}@${job.version ?? ''}`;
  return topologyName(job) === topology;
}

const SHOWN = 10;

function unknownTopology(asked: string, known: readonly string[]): KitError {
  const list = known.slice(0, SHOWN).join(', ');
  return new KitError('KIT_FILTER_UNKNOWN', `no run is of the topology ${asked}`, {
    hint: hintFor(asked, known, { prefix: '--topology ', fallback: `There are runs of: ${list}.` }),
    data: { topologies: [...known] },
  });
}
