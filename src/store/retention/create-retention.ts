import type { AuditAge, RetentionStore } from '../../domain/ports/retention.js';
import { isoAt } from '../../lib/iso-at.js';
import { BLOB_GRACE_MS } from '../blob-grace.js';
import type { RetentionDialect } from './dialect.js';
import { growthOf } from './growth.js';
import type { Moment } from './moment.js';
import { planRoughly } from './plan-estimate.js';
import { planExactly } from './plan-exact.js';
import { pruneRuns } from './prune-runs.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Removing whole runs, the same on every database. */
export function createRetention(dialect: RetentionDialect): RetentionStore {
  const momentOf = async ({ olderThanDays }: AuditAge): Promise<Moment> => {
    const nowMs = Date.parse(await dialect.now());
    const before = isoAt(Math.max(0, nowMs - olderThanDays * DAY_MS));
    return { before, putBefore: isoAt(Math.max(0, nowMs - BLOB_GRACE_MS)) };
  };
  return {
    plan: async (age, method) => {
      const moment = await momentOf(age);
      return method === 'exact' ? planExactly(dialect, moment) : planRoughly(dialect, moment);
    },
    prune: async (age, onProgress, signal) => pruneRuns(dialect, await momentOf(age), { onProgress, signal }),
    growth: async (age) => growthOf(dialect, (await momentOf(age)).before),
    pruned: (jobId) => dialect.pruned(jobId),
  };
}
