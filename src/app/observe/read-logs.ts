import { KitError } from '../../domain/errors.js';
import type { StoredEvent } from '../../domain/events.js';
import { isParked, isTerminal, type Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { hintFor } from '../../lib/nearest.js';
import { findJob } from '../find-job.js';
import { followRun } from '../follow-run.js';
import { jobSoFar, jobsSoFar } from '../jobs/so-far.js';
import { eventFilter, typesNamed } from './event-filter.js';
import type { LoggedRun, LogQuery } from './observe-app.js';
import { isOf, selectRuns } from './select-runs.js';

/** What is refused before a store is looked for. Throws KIT_USAGE. */
export function checkLogQuery(query: LogQuery): void {
  typesNamed(query.types);
  if (query.follow && query.run === null && query.last > 1) {
    throw new KitError('KIT_USAGE', '--follow goes on with one run', {
      hint: 'Leave --last out for the newest run, or name one with --run-id.',
    });
  }
}

/** What a log is read from: the store, or a server. */
export interface LogReads {
  /** By id or unique prefix. Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS. */
  named(run: string): Promise<Job>;
  /** The newest first. Throws KIT_FILTER_UNKNOWN where no run is of the topology. */
  newest(select: { readonly topology: string | null; readonly limit: number }): Promise<readonly Job[]>;
  /** Agents that took part. */
  agentsOf(run: string): Promise<ReadonlySet<string>>;
  events(
    run: string,
    follow: { readonly signal: AbortSignal; readonly onlyUntilNow: boolean },
  ): AsyncIterable<StoredEvent>;
}

/** See `ObserveApp.logs`. */
export async function readLogs(reads: LogReads, query: LogQuery): Promise<readonly LoggedRun[]> {
  const jobs =
    query.run === null
      ? await reads.newest({ topology: query.topology, limit: query.last })
      : [ofTopology(await reads.named(query.run), query)];
  const { agent } = query;
  if (agent !== null) await assertAgent(reads, { jobs, agent, isFollowing: query.follow });
  const shows = eventFilter(agent, typesNamed(query.types));
  return [...jobs].reverse().map((job) => ({
    job,
    shows,
    events: reads.events(job.id, { signal: query.signal, onlyUntilNow: !query.follow }),
  }));
}

/** The log as the store has it. */
export const logReadsOf = (stores: Stores): LogReads => ({
  named: async (run) => jobSoFar(stores, await findJob(stores, run)),
  newest: async (select) => jobsSoFar(stores, await selectRuns(stores.jobs, select)),
  agentsOf: (run) => agentsOfRun(stores, run),
  events: (jobId, follow) => followRun(stores, { jobId, afterSeq: 0, ...follow }),
});

/**
 * Filters combine: a run that is named and is of another topology is a mistake, not an empty log.
 */
function ofTopology(job: Job, { topology }: LogQuery): Job {
  if (topology === null || isOf(job, topology)) return job;
  throw new KitError('KIT_FILTER_UNKNOWN', `run ${job.id} is of the topology ${job.topology}, not of ${topology}`, {
    hint: 'Leave out --topology or --run-id.',
  });
}

const AGENTS_PAGE = 1000;

/** A run that goes on may still start the agent; one that is over will not. */
async function assertAgent(
  reads: Pick<LogReads, 'agentsOf'>,
  ask: { readonly jobs: readonly Job[]; readonly agent: string; readonly isFollowing: boolean },
): Promise<void> {
  const known = new Set<string>();
  for (const job of ask.jobs) {
    for (const id of await reads.agentsOf(job.id)) known.add(id);
    if (known.has(ask.agent)) return;
  }
  const mayCome = ask.isFollowing && ask.jobs.some((job) => !isTerminal(job.status) && !isParked(job.status));
  if (mayCome || ask.jobs.length === 0) return;
  const names = [...known].sort();
  const where = ask.jobs.length === 1 ? `run ${ask.jobs[0]?.id}` : `the last ${ask.jobs.length} runs`;
  throw new KitError('KIT_FILTER_UNKNOWN', `no agent ${ask.agent} took part in ${where}`, {
    hint: hintFor(ask.agent, names, {
      prefix: '--agent ',
      fallback: `Agents there: ${names.length === 0 ? 'none yet' : names.join(', ')}.`,
    }),
    data: { agents: names },
  });
}

async function agentsOfRun(stores: Stores, jobId: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after = '';
  while (true) {
    const page = await stores.events.read({
      jobId,
      types: ['agent.started'],
      limit: AGENTS_PAGE,
      ...(after === '' ? {} : { after }),
    });
    for (const { agentId } of page.events) if (agentId !== null) ids.add(agentId);
    if (!page.hasMore) return ids;
    after = page.nextCursor;
  }
}
