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
import type { Appended } from './appended-events.js';
import type { PostgresDeps } from './deps.js';
import { listItems } from './list-items.js';
import { readReviews } from './read-reviews.js';
import { GET_JOB, WAKE_JOB } from './sql/jobs.js';
import {
  BEGIN_READ,
  DECIDED_GATES,
  DUE_TIMERS,
  DUE_TIMERS_OF_JOB,
  GET_ITEM,
  ITEM_IDS,
  NEWEST_ROUND,
  ONE_ROUND,
  OPEN_GATES,
} from './sql/reviews.js';
import type { Transaction } from './transaction.js';

/**
 * Gates, items and decisions in PostgreSQL. Every write about a job's reviews holds the lock of the
 * job's row.
 */
export class PostgresReviewStore implements ReviewStore {
  readonly #deps: PostgresDeps;

  constructor(deps: PostgresDeps) {
    this.#deps = deps;
  }

  state(jobId: string): Promise<ReviewState | null> {
    return this.#deps.read(async (sql) => {
      await sql.exec(BEGIN_READ);
      try {
        return (await readReviews(sql, jobId))?.state ?? null;
      } finally {
        // It has written nothing; a connection that was lost has ended it already.
        await sql.exec('ROLLBACK').catch(() => undefined);
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
    return this.#deps.read(async (sql) => {
      const afterOrd = afterId === undefined ? 0 : (await sql.get<GateRecord>(NEWEST_ROUND, { gateId: afterId }))?.ord;
      if (afterOrd === undefined) return [];
      const listed =
        status === 'pending'
          ? sql.all<GateRecord>(OPEN_GATES, { afterOrd, limit })
          : sql.all<GateRecord>(DECIDED_GATES, { status, afterOrd, limit });
      return (await listed).map(decodeGate);
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

  async change<T>(
    jobId: string,
    decide: (state: ReviewState) => ReviewChange<T>,
  ): Promise<{ readonly result: T; readonly events: readonly StoredEvent[]; readonly job: Job }> {
    const work = async (tx: Transaction) => {
      const seen = await readReviews(tx, jobId);
      if (seen === undefined) throw jobUnknown(jobId);
      const change = decide(seen.state);
      const plan = planChange(seen.state, change);
      for (const statement of plan.statements) await tx.run(statement.sql, statement.params);
      if (plan.wakes) await tx.run(WAKE_JOB, { jobId });
      const events: readonly Appended[] = await tx.append(ownerOfReviews(seen.job), plan.events);
      return { result: change.result, events, job: await requireJob(tx, jobId) };
    };
    const changed = await this.#deps.queue.run({ writes: ['review.change'], jobs: [jobId], work });
    return { ...changed, events: changed.events.map((event) => event()) };
  }

  async dueTimers(limit: number, jobId?: string): Promise<readonly DueTimer[]> {
    const records = await this.#deps.read((sql) =>
      jobId === undefined
        ? sql.all<TimerRecord>(DUE_TIMERS, { limit })
        : sql.all<TimerRecord>(DUE_TIMERS_OF_JOB, { jobId, limit }),
    );
    return records.map(decodeTimer);
  }
}

async function requireJob(tx: Transaction, jobId: string): Promise<Job> {
  const row = await tx.get<JobRow>(GET_JOB, { jobId });
  if (row === undefined) throw jobUnknown(jobId);
  return decodeJob(row);
}
