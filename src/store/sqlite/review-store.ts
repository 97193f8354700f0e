import type { StoredEvent } from '../../domain/events.js';
import type { GateRound, GateStatus, ReviewItem, ReviewState } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { DueTimer, ItemFilter, ItemPage, ReviewChange, ReviewStore } from '../../domain/ports/reviews.js';
import { decodeGate, type GateRecord } from '../gate-row.js';
import { decodeItem, type ItemRecord } from '../item-row.js';
import { decodeJob, type JobRow } from '../job-row.js';
import { jobUnknown } from '../refusals.js';
import { planChange } from '../review-plan.js';
import { ownerOfReviews } from '../review-state.js';
import { decodeTimer, type TimerRecord } from '../timer-row.js';
import { appendEvents } from './append-events.js';
import { isoAt, type SqliteDeps } from './deps.js';
import { listItems } from './list-items.js';
import { readReviews } from './read-reviews.js';
import { GET_JOB, WAKE_JOB } from './sql/jobs.js';
import {
  DECIDED_GATES,
  DUE_TIMERS,
  DUE_TIMERS_OF_JOB,
  GET_ITEM,
  ITEM_IDS,
  NEWEST_ROUND,
  ONE_ROUND,
  OPEN_GATES,
} from './sql/reviews.js';
import type { SqlRunner } from './sql-runner.js';

/**
 * Gates, items and decisions in SQLite. Whoever holds the write lock of the file holds every job
 * row.
 */
export class SqliteReviewStore implements ReviewStore {
  readonly #deps: SqliteDeps;

  constructor(deps: SqliteDeps) {
    this.#deps = deps;
  }

  state(jobId: string): Promise<ReviewState | null> {
    return this.#deps.read((sql) => {
      // One moment for all of its statements: between two of them another process could commit.
      sql.run('BEGIN', {});
      try {
        return readReviews(sql, jobId, this.#now())?.state ?? null;
      } finally {
        sql.run('COMMIT', {});
      }
    });
  }

  async gate(gateId: string, round?: number): Promise<GateRound | null> {
    const record = await this.#deps.read((sql) =>
      round === undefined
        ? sql.get<GateRecord>(NEWEST_ROUND, { gateId })
        : sql.get<GateRecord>(ONE_ROUND, { gateId, round }),
    );
    return record === undefined ? null : decodeGate(record);
  }

  openGates(filter: {
    readonly status?: GateStatus;
    readonly limit: number;
    readonly afterId?: string;
  }): Promise<readonly GateRound[]> {
    const { status = 'pending', limit, afterId } = filter;
    return this.#deps.read((sql) => {
      const afterOrd = afterId === undefined ? 0 : sql.get<GateRecord>(NEWEST_ROUND, { gateId: afterId })?.ord;
      if (afterOrd === undefined) return [];
      const records =
        status === 'pending'
          ? sql.all<GateRecord>(OPEN_GATES, { afterOrd, limit })
          : sql.all<GateRecord>(DECIDED_GATES, { status, afterOrd, limit });
      return records.map(decodeGate);
    });
  }

  async item(itemId: string): Promise<ReviewItem | null> {
    const record = await this.#deps.read((sql) => sql.get<ItemRecord>(GET_ITEM, { id: itemId }));
    return record === undefined ? null : decodeItem(record);
  }

  async itemIds(prefix: string, limit: number): Promise<readonly string[]> {
    return (await this.#deps.read((sql) => sql.all<{ id: string }>(ITEM_IDS, { prefix, limit }))).map(({ id }) => id);
  }

  items(filter: ItemFilter): Promise<ItemPage> {
    return this.#deps.read((sql) => listItems(sql, filter));
  }

  change<T>(
    jobId: string,
    decide: (state: ReviewState) => ReviewChange<T>,
  ): Promise<{ readonly result: T; readonly events: readonly StoredEvent[]; readonly job: Job }> {
    return this.#deps.queue.run(['review.change'], (sql) => {
      const seen = readReviews(sql, jobId, this.#now());
      if (seen === undefined) throw jobUnknown(jobId);
      const change = decide(seen.state);
      const plan = planChange(seen.state, change);
      for (const statement of plan.statements) sql.run(statement.sql, statement.params);
      if (plan.wakes) sql.run(WAKE_JOB, { jobId });
      const events = appendEvents(sql, ownerOfReviews(seen.job), plan.events);
      return { result: change.result, events, job: requireJob(sql, jobId) };
    });
  }

  async dueTimers(limit: number, jobId?: string): Promise<readonly DueTimer[]> {
    const now = this.#now();
    const records = await this.#deps.read((sql) =>
      jobId === undefined
        ? sql.all<TimerRecord>(DUE_TIMERS, { now, limit })
        : sql.all<TimerRecord>(DUE_TIMERS_OF_JOB, { now, jobId, limit }),
    );
    return records.map(decodeTimer);
  }

  #now(): string {
    return isoAt(this.#deps.clock.now());
  }
}

function requireJob(sql: SqlRunner, jobId: string): Job {
  const row = sql.get<JobRow>(GET_JOB, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return decodeJob(row);
}
