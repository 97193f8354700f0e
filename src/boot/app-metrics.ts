import { createMetricsApp } from '../app/serve/create-metrics-app.js';
import type { MetricsApp } from '../app/serve/metrics-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import type { AppParts } from './app.js';
import type { Runs } from './app-runs.js';
import { openServerLog } from './server-log.js';

/** Wires the numbers of `/metrics`: what the store counts, and the slots of this server. */
export function createMetrics(parts: AppParts & { readonly runs: Runs; readonly serve: () => Pick<ServeApp, 'load' | 'role'> }): MetricsApp {
  const sources = () => import('../app/serve/serving-metrics.js');
  const openStores = async (workspace: string) => (await parts.runs.observe()).openStores(workspace);
  return createMetricsApp(
    [
      { name: 'store', source: async (workspace) => (await sources()).storeMetrics(openStores)(workspace) },
      { name: 'slots', source: async (workspace) => (await sources()).slotMetrics(parts.serve())(workspace) },
    ],
    (source, error) => void openServerLog(parts).then((log) => log.warn('a source of metrics failed', { source, error })),
  );
}
