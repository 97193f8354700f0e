import { isKitError } from '../../domain/errors.js';
import type { AuditLag } from '../../domain/ports/audit.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Metric, MetricSource } from './metrics-app.js';
import type { ServeApp } from './serve-app.js';

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  kind: 'gauge',
  samples: [{ labels: {}, value }],
});

/** Jobs by status, as the store counts them; nothing of a workspace that was never used. */
export const storeMetrics =
  (openStores: (workspace: string) => Promise<Pick<Stores, 'serving' | 'audit'> | null>): MetricSource =>
  async (workspace) => {
    const stores = await openStores(workspace);
    if (stores === null) return [];
    const [counts, lag] = await Promise.all([stores.serving.jobCounts(), stores.audit?.lag()]);
    return [
      {
        name: 'kit_jobs',
        help: 'Jobs by status.',
        kind: 'gauge',
        samples: Object.entries(counts).map(([status, value]) => ({ labels: { status }, value })),
      },
      ...(lag === undefined ? [] : auditMetrics(lag)),
    ];
  };

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
