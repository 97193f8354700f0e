import { isKitError } from '../../domain/errors.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Files } from '../../domain/ports/system.js';
import type { GrownStore, GrowthReport } from '../../view/storage-report.js';
import { type ReadStorage, type ReadStorageDeps, readStorage } from '../storage/read-storage.js';
import { runtimeSite } from '../storage/resolve-storage.js';
import { retentionOf } from '../storage/retention-age.js';
import { storageEnvironment } from '../storage/storage-environment.js';
import { storeFileBytes } from '../storage/store-file.js';

/** What is asked to tell how a store grows. */
export interface StoreGrowthDeps extends ReadStorageDeps {
  readonly files: Pick<Files, 'readText' | 'sizeBytes'>;
  /** State directory of a workspace. */
  readonly stateDirOf: (workspace: string) => string;
  /** Null when nothing was ever run. */
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'retention'> | null>;
  /** Milliseconds since the epoch. */
  readonly now: () => Promise<number>;
}

/** See `InfoApp.growth`. */
export async function storeGrowth(workspace: string, deps: StoreGrowthDeps): Promise<GrowthReport> {
  return growthOf(workspace, await readStorage(workspace, deps), deps);
}

/** The same, of settings that were read. */
export async function growthOf(workspace: string, read: ReadStorage, deps: StoreGrowthDeps): Promise<GrowthReport> {
  const { olderThanDays, source } = retentionOf(read);
  return {
    retention: { days: olderThanDays, source },
    pruneEveryHours: read.pruneEveryHours,
    store: await grown(workspace, { ...read, olderThanDays }, deps),
  };
}

async function grown(
  workspace: string,
  { settings, resolve, olderThanDays }: Pick<ReadStorage, 'settings' | 'resolve'> & { readonly olderThanDays: number },
  deps: StoreGrowthDeps,
): Promise<GrownStore> {
  try {
    const { place } = runtimeSite(settings, storageEnvironment(deps.environment, resolve));
    // What opens stores need not be loaded where there is none.
    const isEmpty = place.backend === 'sqlite' && (await storeFileBytes(deps.files, deps.stateDirOf(workspace))) === 0;
    if (isEmpty) return { kind: 'none' };
    const stores = await deps.openStores(workspace);
    if (stores === null) return { kind: 'none' };
    const growth = await stores.retention.growth({ olderThanDays });
    const { oldestRun } = growth;
    const oldestMs = oldestRun === null ? null : Math.max(0, (await deps.now()) - Date.parse(oldestRun));
    return { kind: 'known', ...growth, oldestMs };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { kind: 'unknown', error: error.message, hint: error.hint ?? null, exitCode: error.exitCode };
  }
}
