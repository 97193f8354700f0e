import { KitError } from '../../domain/errors.js';
import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import type { JobFilter, Stores, WorkerHost } from '../../domain/ports/stores.js';
import { askTogether } from '../../lib/ask-together.js';
import { eventText } from '../../view/lines/event-text.js';
import { oneLine } from '../../view/lines/words.js';
import { findJob, jobCalled, noRunHere } from '../find-job.js';
import { type FleetReadDeps, queueStatsOf } from '../fleet/queue-stats.js';
import type { JobAsk, JobQuery, JobsApp, StreamItem } from './jobs-app.js';
import { RunFeeds } from './run-feed.js';
import { diffsSoFar, jobSoFar, jobsSoFar } from './so-far.js';

/** Real parts behind the use cases. */
export interface JobsDeps extends FleetReadDeps {
  readonly host: WorkerHost;
  /** Runs a function after the current turn of the event loop (setImmediate). */
  readonly defer: (fn: () => void) => void;
  /**
   * Opens the store of a workspace without reading its artifacts; null when it has none yet. Throws
   * KIT_WORKSPACE_NOT_FOUND.
   */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
  /**
   * A server of this process finds dead runs itself, by its own setting (`server.jobs.recover`);
   * absent = none does.
   */
  readonly isSwept?: () => boolean;
}

const DEFAULT_LIMIT = 100;
const NAME_CHARS = 60;

const NO_STATS: QueueStats = {
  queued: 0,
  running: 0,
  outages: { jobs: 0, nextAt: null },
  oldestQueuedAgeMs: null,
  queueWaitP50Ms: null,
  queueWaitP95Ms: null,
  executionP50Ms: null,
  executionP95Ms: null,
  depthByTopology: {},
  sampleSize: 0,
  blocked: [],
};

/** Looking at jobs, over parts that `boot` hands in. */
export function createJobsApp(deps: JobsDeps): JobsApp {
  const opened = new Map<string, Stores>();
  const feeds = new WeakMap<Stores, RunFeeds>();
  const lineOf = createLines();
  /**
   * Settings are read until there is a store; from then on it stays open for as long as this
   * process lives.
   */
  const open = async (workspace: string): Promise<Stores | null> => {
    const known = opened.get(workspace);
    if (known !== undefined) return known;
    const stores = await deps.openStores(workspace);
    if (stores === null) return null;
    opened.set(workspace, stores);
    // A run whose process died is shown as what it is.
    if (deps.isSwept?.() !== true) await stores.jobs.sweep(deps.host);
    return stores;
  };
  const feedsOf = (stores: Stores): RunFeeds => {
    const known = feeds.get(stores) ?? new RunFeeds(stores);
    feeds.set(stores, known);
    return known;
  };
  /**
   * Those who ask for one job in one turn share one read of the store: a job that many poll costs
   * it what one of them does.
   */
  const shared = (read: (stores: Stores, id: string) => Promise<Job>) => {
    const known = new WeakMap<Stores, (id: string) => Promise<Job>>();
    return (stores: Stores, job: string): Promise<Job> => {
      const ask = known.get(stores) ?? askTogether(async (ids) => readJobs(ids, (id) => read(stores, id)), deps.defer);
      known.set(stores, ask);
      return ask(job);
    };
  };
  const rowOf = shared(jobCalled);
  const wholeOf = shared(async (stores, id) => jobSoFar(stores, await jobCalled(stores, id)));
  const find = async (
    { workspace, job }: JobAsk,
    read = rowOf,
  ): Promise<{ readonly stores: Stores; readonly row: Job }> => {
    const stores = await open(workspace);
    if (stores === null) throw noRunHere(job);
    return { stores, row: await read(stores, job) };
  };
  return {
    list: async (query) => {
      const stores = await open(query.workspace);
      if (stores === null) return [];
      const found = await stores.jobs.list(filterOf(query));
      // An empty page would be the end of the list to whoever turns pages.
      if (found.length === 0 && query.before !== undefined)
        await find({ workspace: query.workspace, job: query.before });
      return jobsSoFar(stores, found);
    },
    get: async (ask) => (await find(ask, wholeOf)).row,
    find: async ({ workspace, job }) => {
      const stores = await open(workspace);
      if (stores === null) throw noRunHere(job);
      return jobSoFar(stores, await findJob(stores, job));
    },
    events: async ({ afterSeq, limit, ...ask }) => {
      const { stores } = await find(ask);
      const events = await stores.events.readRun(ask.job, afterSeq, limit);
      const last = events.at(-1);
      const isFull = last !== undefined && events.length === limit;
      return { events, hasMore: isFull && (await stores.events.readRun(ask.job, last.seq, 1)).length > 0 };
    },
    diff: async (ask) => {
      const { stores, row } = await find(ask);
      const diffs = await diffsSoFar(stores, row);
      if (diffs === null) throw new KitError('KIT_DIFF_UNKNOWN', `run ${row.id} recorded no diff`);
      return diffs;
    },
    queueStats: async ({ workspace }) => {
      const stores = await open(workspace);
      return stores === null ? NO_STATS : queueStatsOf(deps, { workspace, stores });
    },
    stream: async (ask) => {
      const { stores } = await find(ask);
      return itemsOf({ stores, feeds: feedsOf(stores), lineOf }, { ...ask, afterSeq: await placeOf(stores, ask) });
    },
  };
}

/** What is wrong with one of them is told to those who asked for it. */
async function readJobs(ids: readonly string[], read: (id: string) => Promise<Job>): Promise<(id: string) => Job> {
  const answers = await Promise.allSettled(ids.map(read));
  const found = new Map(ids.map((id, at) => [id, answers[at]]));
  return (id) => {
    const answer = found.get(id);
    if (answer?.status === 'fulfilled') return answer.value;
    throw answer?.reason;
  };
}

function filterOf({ correlationId, topology, status, source, before, limit }: JobQuery): JobFilter {
  return {
    limit: limit ?? DEFAULT_LIMIT,
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(topology === undefined ? {} : { topology }),
    ...(status === undefined || status.length === 0 ? {} : { status }),
    ...(source === undefined ? {} : { source }),
    ...(before === undefined ? {} : { beforeId: before }),
  };
}

/** A place that this run never had is not a place: everything is told. */
async function placeOf(
  { events }: Pick<Stores, 'events'>,
  { job, afterSeq }: { readonly job: string; readonly afterSeq: number },
): Promise<number> {
  if (afterSeq <= 0) return 0;
  const [at] = await events.readRun(job, afterSeq - 1, 1);
  return at === undefined ? 0 : afterSeq;
}

async function* itemsOf(
  of: { readonly stores: Stores; readonly feeds: RunFeeds; readonly lineOf: LineOf },
  follow: { readonly job: string; readonly afterSeq: number; readonly signal: AbortSignal },
): AsyncGenerator<StreamItem> {
  for await (const event of of.feeds.read(follow.job, follow.afterSeq, follow.signal)) yield of.lineOf(event);
  if (follow.signal.aborted) return;
  const row = await of.stores.jobs.get(follow.job);
  if (row !== null) yield { kind: 'end', status: row.status };
}

type LineOf = (event: StoredEvent) => StreamItem;

/** The words of an event are the same for everybody who reads it: they are found once. */
function createLines(): LineOf {
  const known = new WeakMap<StoredEvent, StreamItem>();
  return (event) => {
    const line = known.get(event) ?? wordsOf(event);
    known.set(event, line);
    return line;
  };
}

function wordsOf(event: StoredEvent): StreamItem {
  const { seq, timestamp, type, agentId } = event;
  const { text } = eventText(event);
  return {
    kind: 'line',
    seq,
    timestamp,
    type,
    agentId,
    text: agentId === null ? text : `[${oneLine(agentId, NAME_CHARS)}] ${text}`,
    event,
  };
}
