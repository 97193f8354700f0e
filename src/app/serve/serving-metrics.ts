import { isKitError } from '../../domain/errors.js';
import type { AuditLag } from '../../domain/ports/audit.js';
import type { JobCounts, ServingStore } from '../../domain/ports/serving.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Metric, MetricSource } from './metrics-app.js';
import type { ServeApp } from './serve-app.js';

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  kind: 'gauge',
  samples: [{ labels: {}, value }],
});

/**
 * Jobs that are over are counted again once as many milliseconds have passed as there are of them,
 * and once a minute at the latest: a scrape costs no more the more runs there were.
 */
const OVER_KEPT_MS = 60_000;

interface StoreMetricsDeps {
  /** Null of a workspace that was never used: there is nothing to tell of it. */
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'serving' | 'audit'> | null>;
  readonly now: () => number;
}

/** Jobs by status, as the store counts them. */
export function storeMetrics({ openStores, now }: StoreMetricsDeps): MetricSource {
  const overIn = keptOver(now);
  return async (workspace) => {
    const stores = await openStores(workspace);
    if (stores === null) return [];
    const [live, over, lag] = await Promise.all([
      stores.serving.jobCounts('live'),
      overIn(workspace, stores.serving),
      stores.audit?.lag(),
    ]);
    return [
      {
        name: 'kit_jobs',
        help: 'Jobs by status; of many, those that are over as counted within the last minute.',
        kind: 'gauge',
        samples: Object.entries({ ...live, ...over }).map(([status, value]) => ({ labels: { status }, value })),
      },
      ...(lag === undefined ? [] : auditMetrics(lag)),
    ];
  };
}

function keptOver(now: () => number) {
  const kept = new Map<string, { readonly counts: JobCounts; readonly untilMs: number }>();
  return async (workspace: string, serving: Pick<ServingStore, 'jobCounts'>): Promise<JobCounts> => {
    const known = kept.get(workspace);
    if (known !== undefined && now() < known.untilMs) return known.counts;
    const counts = await serving.jobCounts('over');
    const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0);
    kept.set(workspace, { counts, untilMs: now() + Math.min(jobs, OVER_KEPT_MS) });
    return counts;
  };
}

/** Of a log that lies apart from the runs; what is not known yet is left out. */
const auditMetrics = ({ events, seconds, error }: AuditLag): readonly Metric[] => [
  gauge('kit_audit_up', '1 when the database of storage.audit takes the log now.', error === null ? 1 : 0),
  ...(events === null
    ? []
    : [
        gauge(
          'kit_audit_behind_events',
          'Committed events that storage.audit does not hold yet, counted up to 100000.',
          events,
        ),
      ]),
  ...(seconds === null
    ? []
    : [gauge('kit_audit_behind_seconds', 'Age of the oldest event that storage.audit does not hold yet.', seconds)]),
];

/** Slots of this server; none before it has started, when metrics may be asked for already. */
export const slotMetrics =
  (serve: Pick<ServeApp, 'load' | 'role'>): MetricSource =>
  () => {
    const load = loadOf(serve);
    if (load === null) return [];
    const { active, maxConcurrent } = load;
    return [
      {
        name: 'kit_server_info',
        help: 'What this process is: 1 for its role.',
        kind: 'gauge',
        samples: [{ labels: { role: serve.role() }, value: 1 }],
      },
      gauge('kit_slots_active', 'Slots that runs of this server hold.', active),
      gauge('kit_slots', 'Slots of this server (server.jobs.max_concurrent); 0 with --role api.', maxConcurrent),
    ];
  };

function loadOf(serve: Pick<ServeApp, 'load'>): ReturnType<ServeApp['load']> | null {
  try {
    return serve.load();
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_NOT_READY') return null;
    throw error;
  }
}
