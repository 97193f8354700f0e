import type { ReviewState } from '../domain/gates.js';
import type { ItemFilter } from '../domain/ports/reviews.js';
import { decodeEarlier } from './earlier-submitters.js';
import { decodeSubmitter, type JobRow, type SubmitterColumns } from './job-row.js';
import { DECISIONS, type DecisionRecord, GATES, type GateRecord, ITEMS, type ItemRecord } from './review-rows.js';
import { IS_ASKED, IS_OF_STOPPED, IS_OPEN_ITEM, ITEM_CONDITIONS } from './sql/reviews.js';

/** What a decision is made on, of the job; columns of `reviewedJob`. */
export interface ReviewedJob
  extends SubmitterColumns,
    Pick<JobRow, 'ord' | 'id' | 'status' | 'earlier_submitters' | 'waiting_on' | 'labels' | 'correlation_id'> {
  readonly auto_resume: number;
  readonly topology_id: string;
}

export interface ReviewRecords {
  readonly job: ReviewedJob;
  /** The store's clock at this read. */
  readonly now: string;
  readonly gates: readonly GateRecord[];
  readonly items: readonly ItemRecord[];
  readonly decisions: readonly DecisionRecord[];
}

/** The casts restore what the job was inserted and parked with. */
export function decodeReviews({ job, now, gates, items, decisions }: ReviewRecords): ReviewState {
  return {
    now,
    job: {
      id: job.id,
      status: job.status as ReviewState['job']['status'],
      topologyId: job.topology_id,
      submittedBy: decodeSubmitter(job),
      earlier: decodeEarlier(job.earlier_submitters),
      waitingOn: JSON.parse(job.waiting_on) as ReviewState['job']['waitingOn'],
      autoResume: job.auto_resume === 1,
    },
    gates: gates.map(GATES.decode),
    items: items.map(ITEMS.decode),
    decisions: decisions.map(DECISIONS.decode),
  };
}

/**
 * The conditions of a list of items, without place and size, and what they name; `ofRoles` is in
 * the words of the dialect.
 */
export function itemConditions(
  filter: ItemFilter,
  lists: { readonly ofRoles: string; readonly ofTopologies: string },
): { readonly conditions: readonly string[]; readonly params: Readonly<Record<string, string>> } {
  const named = Object.entries({ kind: filter.kind, gateId: filter.gateId, jobId: filter.jobId });
  const params: Record<string, string> = {};
  const conditions: string[] = filter.show === 'pending' ? [IS_OPEN_ITEM] : [];
  // Whoever names a run or a gate is told why it takes no decision.
  if (filter.show === 'pending' && filter.jobId === undefined && filter.gateId === undefined) conditions.push(IS_ASKED);
  for (const [name, value] of named) {
    if (value === undefined) continue;
    params[name] = value;
    // The names are those of the object above.
    conditions.push(ITEM_CONDITIONS[name as keyof typeof ITEM_CONDITIONS]);
  }
  if (filter.roles !== undefined) conditions.push(lists.ofRoles);
  if (filter.topologies !== undefined) conditions.push(lists.ofTopologies);
  return { conditions, params };
}

export const whereOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;

const countOf = (conditions: readonly string[]): string =>
  `SELECT count(*) AS total FROM review_items ${whereOf(conditions)}`;

/**
 * Counts what a list finds, as `total`. What stopped runs ask is counted apart and taken off, so
 * that all else is counted within the index of open items.
 */
export function totalOf(conditions: readonly string[]): string {
  if (!conditions.includes(IS_ASKED)) return countOf(conditions);
  const rest = conditions.filter((condition) => condition !== IS_ASKED);
  return `SELECT (${countOf(rest)}) - (${countOf([...rest, IS_OF_STOPPED])}) AS total`;
}
