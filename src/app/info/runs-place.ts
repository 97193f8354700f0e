import { join, relative, resolve } from 'node:path';
import type { Files } from '../../domain/ports/system.js';
import { type ReadStorage, type ReadStorageDeps, readStorage } from '../storage/read-storage.js';
import { storageEnvironment } from '../storage/storage-environment.js';
import { storeFileBytes } from '../storage/store-file.js';
import { storeRows } from '../storage/store-rows.js';

/** Where runs are looked for: asked by whoever found none. */
export interface PlacesApp {
  /**
   * Opens nothing. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID for a workspace.yaml that
   * cannot be read.
   */
  runsPlace(workspace: string): Promise<RunsPlace>;
}

/** Where the runs of a workspace are looked for, and a store beside it that is not read. */
export interface RunsPlace {
  /** A file, or a URL without its password; null: the settings name no place that can be had. */
  readonly location: string | null;
  /** What moved it: a variable of the environment, a key of workspace.yaml; null = nothing. */
  readonly setting: string | null;
  readonly unread: UnreadStore | null;
}

/** A file of SQLite in which runs lie that these settings do not show. */
export interface UnreadStore {
  /** Relative to the workspace where it lies inside. */
  readonly file: string;
  readonly bytes: number;
  /** False: KIT_STATE_DIR names another directory. */
  readonly isInStateDir: boolean;
  /** What stands before a command of kit that is to look into it, for a shell. */
  readonly variables: string;
}

/** What is looked at. */
export interface RunsPlaceDeps {
  readonly files: Pick<Files, 'sizeBytes'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stateDirOf: (workspace: string) => string;
}

/** See `PlacesApp.runsPlace`. */
export const runsPlace = async (
  workspace: string,
  deps: RunsPlaceDeps & Pick<ReadStorageDeps, 'files'>,
): Promise<RunsPlace> => runsPlaceOf(workspace, await readStorage(workspace, deps), deps);

/** The same of settings that were read. */
export async function runsPlaceOf(
  workspace: string,
  { settings, resolve: resolveText }: Pick<ReadStorage, 'settings' | 'resolve'>,
  deps: RunsPlaceDeps,
): Promise<RunsPlace> {
  const environment = storageEnvironment(deps.environment, resolveText);
  const rows = storeRows(settings, { ...environment, hasArtifactStore: () => true, isShared: false });
  const runtime = rows.find(({ store }) => store === 'runtime');
  const stateDir = resolve(deps.stateDirOf(workspace));
  const isLocal = runtime?.backend === 'sqlite';
  const isMoved = stateDir !== join(workspace, '.kit');
  return {
    location: isLocal ? shownFile(workspace, stateDir) : (runtime?.location ?? null),
    setting: isLocal && isMoved ? 'KIT_STATE_DIR' : (runtime?.setting ?? null),
    unread: await unreadStore(workspace, { stateDir, isLocal }, deps),
  };
}

/** The first that is there, of the state directory and the one that a workspace has by itself. */
async function unreadStore(
  workspace: string,
  { stateDir, isLocal }: { readonly stateDir: string; readonly isLocal: boolean },
  { files, environment }: RunsPlaceDeps,
): Promise<UnreadStore | null> {
  const own = join(workspace, '.kit');
  for (const directory of new Set([stateDir, own])) {
    if (isLocal && directory === stateDir) continue;
    const bytes = await storeFileBytes(files, directory);
    if (bytes === 0) continue;
    const isInStateDir = directory === stateDir;
    const variables = [
      ...(isInStateDir ? [] : ['KIT_STATE_DIR=']),
      ...(isLocal || !environment.KIT_STORE_URL ? [] : ['KIT_STORE_URL=']),
      ...(isLocal ? [] : ['KIT_STORE_BACKEND=sqlite']),
    ];
    return { file: shownFile(workspace, directory), bytes, isInStateDir, variables: variables.join(' ') };
  }
  return null;
}

function shownFile(workspace: string, directory: string): string {
  const file = join(directory, 'store.sqlite');
  const inside = relative(workspace, file);
  return inside.startsWith('..') ? file : inside;
}
