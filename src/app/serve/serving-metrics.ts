import type { Stores } from '../../domain/ports/stores.js';
import type { Metric, MetricSource } from './metrics-app.js';
import type { ServeApp } from './serve-app.js';

const gauge = (name: string, help: string, value: number): Metric => ({ name, help, kind: 'gauge', samples: [{ labels: {}, value }] });

/** Jobs by status, as the store counts them; nothing of a workspace that was never used. */
export const storeMetrics =
  (openStores: (workspace: string) => Promise<Pick<Stores, 'serving'> | null>): MetricSource =>
  async (workspace) => {
    const stores = await openStores(workspace);
    if (stores === null) return [];
    const counts = await stores.serving.jobCounts();
    return [
      {
        name: 'kit_jobs',
        help: 'Jobs by status.',
        kind: 'gauge',
        samples: Object.entries(counts).map(([status, value]) => ({ labels: { status }, value })),
      },
    ];
  };

/** Slots of this server. */
export const slotMetrics =
  (serve: Pick<ServeApp, 'load' | 'role'>): MetricSource =>
  () => {
    const { active, maxConcurrent } = serve.load();
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
