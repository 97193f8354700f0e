import type { GateStatus, ReviewState } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { DueTimer, ItemFilter, ItemPage, ReviewChange, ReviewStore } from '../../domain/ports/reviews.js';
import { askTogether } from '../../lib/ask-together.js';
import { ownerOf } from '../event-row.js';
import { decodeJob, type JobRow } from '../job-row.js';
import {
  type Appended,
  all,
  append,
  get,
  type Program,
  type Programs,
  run,
  type Statement,
  setJobs,
} from '../program.js';
import { jobUnknown } from '../refusals.js';
import { planChange } from '../review-plan.js';
import type { DecisionRecord } from '../review-rows.js';
import { GATES, type GateRecord, ITEMS, type ItemRecord } from '../review-rows.js';
import { decodeReviews, itemConditions, type ReviewedJob, totalOf, whereOf } from '../review-state.js';
import { GET_JOB, WAKE_JOB } from '../sql/jobs.js';
import { GET_ITEM, NEWEST_ROUND, ONE_ROUND, OPEN_GATES, type reviewsOfJobs } from '../sql/reviews.js';

/** A row of the timers table that is due, with the newest round of the gate that it names. */
interface TimerRecord {
  readonly due_at: string;
  readonly job_id: string;
  readonly key: string;
  readonly kind: string;
  readonly round: number;
}

/** The cast restores what the store itself has written. */
const decodeTimer = (record: TimerRecord): DueTimer => ({
  jobId: record.job_id,
  kind: record.kind as DueTimer['kind'],
  gateId: record.key,
  round: record.round,
  dueAt: record.due_at,
});

/** What the dialects write differently, and the time where it is not the store that tells it. */
export interface ReviewWords extends Readonly<ReturnType<typeof reviewsOfJobs>> {
  /** Of the list `jobIds`, with the column `now`, the store's clock. */
  readonly REVIEWED_JOBS: string;
  readonly DECIDED_GATES: string;
  readonly ITEM_IDS: string;
  readonly OF_ROLES: string;
  readonly OF_TOPOLOGIES: string;
  readonly DUE_TIMERS: string;
  readonly DUE_TIMERS_OF_JOB: string;
  readonly time: () => { readonly now?: string };
}

/**
 * Gates, items and decisions. Every write about a job's reviews holds the lock of the job's row;
 * what a decision is made on is seen at one moment.
 */
export const createReviews = ({ read, readAtOnce, write }: Programs, words: ReviewWords): ReviewStore => ({
  gate: async (gateId, round) => {
    const record = await read(() =>
      round === undefined ? get<GateRecord>(NEWEST_ROUND, { gateId }) : get<GateRecord>(ONE_ROUND, { gateId, round }),
    );
    return record === undefined ? null : GATES.decode(record);
  },
  openGates: async (filter) => (await read(() => gatesIn(words, filter))).map(GATES.decode),
  item: async (itemId) => {
    const record = await read(() => get<ItemRecord>(GET_ITEM, { id: itemId }));
    return record === undefined ? null : ITEMS.decode(record);
  },
  itemIds: async (prefix, limit) =>
    (await read(() => all<{ id: string }>(words.ITEM_IDS, { prefix, limit }))).map(({ id }) => id),
  items: (filter) => read(() => listItems(words, filter)),
  dueTimers: async (limit, jobId) => {
    const time = words.time();
    const records = await read(() =>
      jobId === undefined
        ? all<TimerRecord>(words.DUE_TIMERS, { ...time, limit })
        : all<TimerRecord>(words.DUE_TIMERS_OF_JOB, { ...time, jobId, limit }),
    );
    return records.map(decodeTimer);
  },
  // Jobs of one list are asked about together.
  state: askTogether(async (jobIds) => {
    const seen = await readAtOnce(() => readReviews(words, jobIds));
    return (jobId) => seen.get(jobId)?.state ?? null;
  }, setImmediate),
  change: async (jobId, decide) => {
    const { appended, ...changed } = await write('review.change', () => applyChange(words, jobId, decide), [jobId]);
    return { ...changed, events: appended.map((stored) => stored()) };
  },
});

interface GateFilter {
  readonly status?: GateStatus;
  readonly limit: number;
  readonly afterId?: string;
}

function* gatesIn(
  { DECIDED_GATES }: ReviewWords,
  { status = 'pending', limit, afterId }: GateFilter,
): Program<readonly GateRecord[]> {
  const afterOrd = afterId === undefined ? 0 : (yield* get<GateRecord>(NEWEST_ROUND, { gateId: afterId }))?.ord;
  if (afterOrd === undefined) return [];
  return status === 'pending'
    ? yield* all<GateRecord>(OPEN_GATES, { afterOrd, limit })
    : yield* all<GateRecord>(DECIDED_GATES, { status, afterOrd, limit });
}

/**
 * Oldest first, with the number of all that the filter finds. Only the conditions that the filter
 * names are part of the statement.
 */
export function* listItems(
  { OF_ROLES, OF_TOPOLOGIES }: Pick<ReviewWords, 'OF_ROLES' | 'OF_TOPOLOGIES'>,
  filter: ItemFilter,
): Program<ItemPage> {
  const { conditions, params: named } = itemConditions(filter, { ofRoles: OF_ROLES, ofTopologies: OF_TOPOLOGIES });
  const { roles, topologies } = filter;
  const params: Statement['params'] = {
    ...named,
    ...(roles === undefined ? {} : { roles: JSON.stringify(roles) }),
    ...(topologies === undefined ? {} : { topologies: JSON.stringify(topologies) }),
  };
  const total = (yield* get<{ total: number }>(totalOf(conditions), params))?.total ?? 0;
  const afterOrd = filter.afterId === undefined ? 0 : (yield* get<ItemRecord>(GET_ITEM, { id: filter.afterId }))?.ord;
  if (afterOrd === undefined) return { items: [], hasMore: false, total };
  const page = `SELECT * FROM review_items ${whereOf([...conditions, 'ord > @afterOrd'])} ORDER BY ord LIMIT @limit`;
  const records = yield* all<ItemRecord>(page, { ...params, afterOrd, limit: filter.limit + 1 });
  return { items: records.slice(0, filter.limit).map(ITEMS.decode), hasMore: records.length > filter.limit, total };
}

interface SeenReviews {
  readonly job: ReviewedJob;
  readonly state: ReviewState;
}

/** Everything about the reviews of jobs, at one moment; a job that is unknown is left out. */
function* readReviews(words: ReviewWords, jobIds: readonly string[]): Program<ReadonlyMap<string, SeenReviews>> {
  const jobs = yield* all<ReviewedJob & { readonly now: string }>(words.REVIEWED_JOBS, { ...words.time(), jobIds });
  if (jobs.length === 0) return new Map();
  const gates = Map.groupBy(yield* all<GateRecord>(words.GATES_OF_JOBS, { jobIds }), jobOf);
  const items = Map.groupBy(yield* all<ItemRecord>(words.ITEMS_OF_JOBS, { jobIds }), jobOf);
  const decisions = Map.groupBy(yield* all<DecisionRecord>(words.DECISIONS_OF_JOBS, { jobIds }), jobOf);
  const stateOf = (job: (typeof jobs)[number]): ReviewState =>
    decodeReviews({
      job,
      now: job.now,
      gates: gates.get(job.id) ?? [],
      items: items.get(job.id) ?? [],
      decisions: decisions.get(job.id) ?? [],
    });
  return new Map(jobs.map((job) => [job.id, { job, state: stateOf(job) }]));
}

const jobOf = ({ job_id }: { readonly job_id: string }): string => job_id;

function* applyChange<T>(
  words: ReviewWords,
  jobId: string,
  decide: (state: ReviewState) => ReviewChange<T>,
): Program<{ readonly job: Job; readonly result: T; readonly appended: readonly Appended[] }> {
  const seen = (yield* readReviews(words, [jobId])).get(jobId);
  if (seen === undefined) throw jobUnknown(jobId);
  const change = decide(seen.state);
  const plan = planChange(seen.state, change);
  for (const statement of plan.statements) yield* run(statement.sql, statement.params);
  if (plan.wakes) yield* setJobs(WAKE_JOB, { jobId });
  const appended = yield* append(ownerOf(seen.job), plan.events);
  return { result: change.result, appended, job: yield* requireJob(jobId) };
}

function* requireJob(jobId: string): Program<Job> {
  const row = yield* get<JobRow>(GET_JOB, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return decodeJob(row);
}
