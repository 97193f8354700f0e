import { ALIVE_MS } from '../app/fleet/heartbeat.js';
import { createStorageApp } from '../app/storage/create-storage-app.js';
import { readStorage } from '../app/storage/read-storage.js';
import type { StorageApp } from '../app/storage/storage-app.js';
import { createClock } from '../system/clock.js';
import { nodeFiles } from '../system/files.js';
import { createIds } from '../system/ids.js';
import { processStartOf, readWorkerHost } from '../system/worker-host.js';
import { boundHeap } from '../system/young-generation.js';
import type { AppParts, Runs } from './parts.js';
import { stateDirOf } from './state-dir.js';

/** Wires moving and pruning of stores. */
export async function openStorage({ env, runs }: Pick<AppParts, 'env'> & { readonly runs: Runs }): Promise<StorageApp> {
  const clock = createClock();
  const host = readWorkerHost();
  const now = (): string => new Date(clock.now()).toISOString();
  return createStorageApp({
    environment: env,
    readStorage: (workspace) => readStorage(workspace, { files: nodeFiles, environment: env }),
    openMove: async (workspace, place) => {
      boundHeap('runs');
      const { openStoreMove } = await import('../store/move/create-store-move.js');
      const observer = () => ({ host, now: now(), processStartOf });
      const sleep = (ms: number): Promise<void> => clock.sleep(ms);
      return openStoreMove({
        stateDir: stateDirOf(workspace, env),
        place,
        ids: createIds(host),
        observer,
        aliveMs: ALIVE_MS,
        now,
        sleep,
      });
    },
    openStores: async (workspace) => (await runs.observe()).openStores(workspace),
  });
}
