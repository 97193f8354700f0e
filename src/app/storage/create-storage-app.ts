import { KitError } from '../../domain/errors.js';
import type { CopyState } from '../../domain/ports/audit.js';
import type { StoreMove } from '../../domain/ports/store-move.js';
import type { Stores } from '../../domain/ports/stores.js';
import { readEnv } from '../read-env.js';
import type { ReadStorage } from './read-storage.js';
import { resolveStorage, type StoragePlace } from './resolve-storage.js';
import { retentionOf } from './retention-age.js';
import type { PruneAsk, RetentionAge, StorageApp } from './storage-app.js';
import { storageEnvironment } from './storage-environment.js';

/** Real parts behind the use cases. */
export interface StorageDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readStorage: (workspace: string) => Promise<ReadStorage>;
  /** Opens the SQLite store of a workspace and the server it is to move to. */
  readonly openMove: (
    workspace: string,
    place: Extract<StoragePlace, { readonly backend: 'postgres' }>,
  ) => Promise<StoreMove>;
  /** Null where nothing was ever run. */
  readonly openStores: (workspace: string) => Promise<Pick<Stores, 'retention' | 'audit'> | null>;
}

export function createStorageApp(deps: StorageDeps): StorageApp {
  return {
    planMigration: (workspace) => withMove(deps, workspace, (move) => move.plan()),
    migrate: ({ workspace, onProgress }) => withMove(deps, workspace, (move) => move.copy(onProgress)),
    planPrune: async (ask) => {
      const age = await ageOf(deps, ask);
      const stores = await deps.openStores(ask.workspace);
      return stores === null
        ? null
        : { ...(await stores.retention.plan(age, ask.method)), ...age, auditCopy: await copyState(stores, age) };
    },
    prune: async ({ onProgress, signal, ...ask }) => {
      const age = await ageOf(deps, ask);
      const stores = await deps.openStores(ask.workspace);
      if (stores === null) return null;
      if ((await copyState(stores, age))?.holdsAll === false) throw notCopied();
      return { ...(await stores.retention.prune(age, onProgress, signal)), ...age };
    },
    pruneEveryHours: async (workspace) => (await deps.readStorage(workspace)).pruneEveryHours,
  };
}

async function withMove<T>(deps: StorageDeps, workspace: string, work: (move: StoreMove) => Promise<T>): Promise<T> {
  const { settings, resolve } = await deps.readStorage(workspace);
  const place = resolveStorage(settings, storageEnvironment(deps.environment, resolve));
  if (place.backend === 'sqlite') {
    throw new KitError(
      'KIT_MIGRATE_TARGET',
      'the runs of this workspace are kept in SQLite: nothing says where they should move to',
      {
        hint: 'Add storage.runtime with `backend: postgres` and a `url`, or set KIT_STORE_URL to postgres://user:password@host:5432/database.',
      },
    );
  }
  // A setting that no other command would take is not copied past.
  readEnv(deps.environment);
  const move = await deps.openMove(workspace, place);
  try {
    return await work(move);
  } finally {
    await move.close();
  }
}

const DAY_SECONDS = 24 * 60 * 60;
/**
 * Events carry the clock of the process that wrote them; the age of a run is judged by that of the
 * store.
 */
const SKEW_SECONDS = 60 * 60;

/**
 * Where the log has a database of its own, nothing goes that is not there yet: all events of a run
 * are older than its end.
 */
async function copyState({ audit }: Pick<Stores, 'audit'>, { olderThanDays }: RetentionAge): Promise<CopyState | null> {
  const lag = await audit?.lag();
  if (lag === undefined) return null;
  return { ...lag, holdsAll: lag.seconds !== null && lag.seconds < olderThanDays * DAY_SECONDS - SKEW_SECONDS };
}

const notCopied = (): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', 'events of runs that would be removed are not copied to storage.audit yet', {
    hint: 'Bring the database of storage.audit back and wait until `kit storage status` says that every event is there.',
    data: { setting: 'storage.audit.url' },
  });

/**
 * The retention of the workspace is what was promised to who reads the log: a flag may ask for an
 * older age, never for a younger one.
 */
async function ageOf(deps: StorageDeps, { workspace, olderThanDays }: PruneAsk): Promise<RetentionAge> {
  const age = retentionOf(await deps.readStorage(workspace));
  if (olderThanDays === null) return age;
  const retention = age.olderThanDays;
  if (!Number.isInteger(olderThanDays) || olderThanDays < retention) {
    throw new KitError(
      'KIT_USAGE',
      `--older-than-days is a whole number of at least ${retention}, not ${olderThanDays}`,
      {
        hint: `Audit is kept for ${retention} days (storage.audit.retention_days); change it in workspace.yaml to remove what is younger.`,
      },
    );
  }
  return { olderThanDays, source: '--older-than-days' };
}
