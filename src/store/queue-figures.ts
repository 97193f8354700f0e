import type { QueueFigures } from '../domain/ports/serving.js';
import { partsOf } from './topology-filter.js';

/** Completed runs that the percentiles are of. */
export const SAMPLE = 500;

/**
 * Jobs that wait for a claim, by topology as it stands in the row: perhaps with a version behind
 * it.
 */
export interface DepthRow {
  readonly topology: string;
  readonly jobs: number;
  /** The earliest of them, ISO 8601. */
  readonly oldest: string;
}

/** Times of one completed run. */
export interface SampleRow {
  readonly created_at: string;
  readonly claimed_at: string;
  readonly started_at: string;
  readonly completed_at: string;
}

/** Runs that wait for what is down; `next` is the earliest time that one looks, ISO 8601. */
export interface OutageRow {
  readonly jobs: number;
  readonly next: string | null;
}

export interface QueueFacts {
  readonly depths: readonly DepthRow[];
  readonly running: number;
  readonly outages: OutageRow | undefined;
  readonly samples: readonly SampleRow[];
  /** The store's clock, ISO 8601. */
  readonly now: string;
}

export function queueFigures({ depths, running, outages, samples, now }: QueueFacts): QueueFigures {
  const oldest = depths.map((row) => row.oldest).sort()[0];
  const waits = samples.map((row) => msBetween(row.created_at, row.claimed_at)).sort(ascending);
  const executions = samples.map((row) => msBetween(row.started_at, row.completed_at)).sort(ascending);
  return {
    queued: depths.reduce((sum, row) => sum + row.jobs, 0),
    running,
    outages: { jobs: outages?.jobs ?? 0, nextAt: outages?.next ?? null },
    oldestQueuedAgeMs: oldest === undefined ? null : msBetween(oldest, now),
    queueWaitP50Ms: percentile(waits, 0.5),
    queueWaitP95Ms: percentile(waits, 0.95),
    executionP50Ms: percentile(executions, 0.5),
    executionP95Ms: percentile(executions, 0.95),
    depthByTopology: depthByName(depths),
    sampleSize: samples.length,
  };
}

function depthByName(depths: readonly DepthRow[]): Readonly<Record<string, number>> {
  const jobs = new Map<string, number>();
  for (const row of depths) {
    const name = partsOf(row.topology).name ?? '';
    jobs.set(name, (jobs.get(name) ?? 0) + row.jobs);
  }
  return Object.fromEntries(jobs);
}

const ascending = (a: number, b: number): number => a - b;

/** Two processes may write the two times, each by its clock: no time is less than none. */
const msBetween = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from));

/** Nearest rank: a value that was measured, not one between two. Null of nothing. */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
