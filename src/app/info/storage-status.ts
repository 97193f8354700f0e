import { join } from 'node:path';
import type { PluginHost } from '../../domain/extension-points.js';
import type { Files } from '../../domain/ports/system.js';
import type { StorageReport } from '../../view/storage-report.js';
import type { ServerRole } from '../serve/serve-app.js';
import { readStorage } from '../storage/read-storage.js';
import { storageEnvironment } from '../storage/storage-environment.js';
import { storeRows } from '../storage/store-rows.js';

/** What is looked at to tell where stores lie. */
export interface StorageStatusDeps {
  readonly files: Files;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the server that this process is; null = it serves nothing. */
  readonly role: () => ServerRole | null;
  /** State directory of a workspace. */
  readonly stateDirOf: (workspace: string) => string;
  /** Asked only where a plugin keeps artifacts; none of its code is loaded. */
  readonly plugins: () => Promise<Pick<PluginHost, 'find'>>;
}

/** See `InfoApp.storage`. */
export async function storageStatus(workspace: string, deps: StorageStatusDeps): Promise<StorageReport> {
  const { settings, resolve } = await readStorage(workspace, deps);
  const keeper = settings.artifacts?.kind === 'plugin' ? await deps.plugins() : null;
  const hasArtifactStore = (plugin: string): boolean => keeper !== null && keeper.find('artifactStores', plugin) !== null;
  const stores = storeRows(settings, { ...storageEnvironment(deps.environment, resolve), hasArtifactStore, isShared: deps.role() === 'api' });
  const isRemote = stores.some(({ store, backend }) => store === 'runtime' && backend !== 'sqlite');
  return { stores, warnings: isRemote ? await leftBehind(workspace, deps) : [] };
}

/** Runs of before the move look lost to whoever does not know where they are. */
async function leftBehind(workspace: string, { files, stateDirOf }: StorageStatusDeps): Promise<readonly string[]> {
  const stateDir = stateDirOf(workspace);
  const bytes = await files.sizeBytes?.(join(stateDir, 'store.sqlite'));
  if (bytes === undefined || bytes === null || bytes === 0) return [];
  const isInside = stateDir === join(workspace, '.kit');
  return [
    `${isInside ? '.kit/store.sqlite' : 'store.sqlite of the state directory'} holds runs of before (${bytes} bytes), and these settings keep runs elsewhere: they are not listed. The file is kept as it is; \`kit storage migrate\` copies it`,
  ];
}
