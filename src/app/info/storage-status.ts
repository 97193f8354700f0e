import { isKitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import type { AuditLag } from '../../domain/ports/audit.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Files } from '../../domain/ports/system.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { bytesText } from '../../view/lines/words.js';
import type { StorageReport, StorageRow, StorageStatus } from '../../view/storage-report.js';
import type { ServerRole } from '../serve/serve-app.js';
import { auditSite } from '../storage/own-site.js';
import { type ReadStorage, readStorage } from '../storage/read-storage.js';
import { journalSite } from '../storage/resolve-storage.js';
import { type StorageEnvironment, storageEnvironment } from '../storage/storage-environment.js';
import { storeRows, WORKSPACE_LOCAL } from '../storage/store-rows.js';
import { type RunsPlace, runsPlaceOf, type UnreadStore } from './runs-place.js';
import { growthOf, type StoreGrowthDeps } from './store-growth.js';

/** What is looked at to tell where stores lie. */
export interface StorageStatusDeps extends Omit<StoreGrowthDeps, 'files' | 'openStores'> {
  readonly files: Files;
  /** Of the server that this process is; null = it serves nothing. */
  readonly role: () => ServerRole | null;
  /** Asked only where a plugin keeps artifacts; none of its code is loaded. */
  readonly plugins: () => Promise<Pick<PluginHost, 'find'>>;
  /** Null when nothing was ever run. */
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'audit' | 'retention'> | null>;
}

/** See `InfoApp.storage`. */
export async function storageReport(workspace: string, deps: StorageStatusDeps): Promise<StorageReport> {
  return reportOf(workspace, await readStorage(workspace, deps), deps);
}

/** See `InfoApp.storageStatus`. */
export async function storageStatus(workspace: string, deps: StorageStatusDeps): Promise<StorageStatus> {
  const read = await readStorage(workspace, deps);
  const [report, growth] = await Promise.all([reportOf(workspace, read, deps), growthOf(workspace, read, deps)]);
  return { report, growth };
}

async function reportOf(
  workspace: string,
  read: Pick<ReadStorage, 'settings' | 'resolve'>,
  deps: StorageStatusDeps,
): Promise<StorageReport> {
  const { settings, resolve } = read;
  const keeper = settings.artifacts?.kind === 'plugin' ? await deps.plugins() : null;
  const hasArtifactStore = (plugin: string): boolean =>
    keeper !== null && keeper.find('artifactStores', plugin) !== null;
  const given = storageEnvironment(deps.environment, resolve);
  const environment = { ...given, hasArtifactStore, isShared: deps.role() === 'api' };
  const runs = await runsPlaceOf(workspace, read, deps);
  const stores = storeRows(settings, environment).map((row) => inStateDir(row, runs));
  const { unread } = runs;
  const isCopied = stores.every(({ error }) => error === null) && auditSite(settings, environment).own !== null;
  return {
    stores,
    audit: isCopied ? await lagOf(workspace, deps) : null,
    warnings: [
      ...(environment.isShared ? [] : keptWithRuns(settings, environment)),
      ...(unread === null ? [] : [leftBehind(unread)]),
    ],
  };
}

/** A file that KIT_STATE_DIR has moved is not a local one of the workspace. */
const inStateDir = (row: StorageRow, { location, setting }: RunsPlace): StorageRow =>
  setting === 'KIT_STATE_DIR' && row.location === WORKSPACE_LOCAL && row.error === null
    ? { ...row, location, ...(row.setting === null ? { source: 'env', setting } : {}) }
    : row;

/** What cannot be placed is a row with its reason, and nothing else. */
function keptWithRuns(settings: StorageSettings, environment: StorageEnvironment): readonly string[] {
  try {
    const { warning } = journalSite(settings, environment);
    return warning === null ? [] : [warning];
  } catch (error) {
    if (!isKitError(error)) throw error;
    return [];
  }
}

/** What cannot be opened is shown as that; the rows are shown all the same. */
async function lagOf(workspace: string, { openStores }: StorageStatusDeps): Promise<AuditLag> {
  try {
    const stores = await openStores(workspace);
    return (await stores?.audit?.lag()) ?? { events: 0, seconds: 0, error: null };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { events: null, seconds: null, error: error.message };
  }
}

/** Runs of before a move look lost to whoever does not know where they are. */
function leftBehind({ file, bytes, isInStateDir, variables }: UnreadStore): string {
  const held = `${file} holds runs (${bytesText(bytes)})`;
  const look = `\`${variables} kit status\` lists them`;
  if (!isInStateDir) return `${held}, and KIT_STATE_DIR names another directory: they are not listed. ${look}`;
  const blobs = file.startsWith('.') ? '.kit/blobs' : 'blobs beside it';
  return `${held}, and these settings keep runs elsewhere: of them only what \`kit storage migrate\` has copied is listed. ${look}; \`kit storage migrate\` copies what is missing, or says that there is nothing to do; then remove the file and ${blobs}`;
}
