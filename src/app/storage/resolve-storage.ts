import { posix } from 'node:path';
import { isKitError, KitError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { StorageBlock, StorageSettings } from '../../domain/storage-settings.js';
import { saysEngine } from '../../domain/storage-words.js';
import { isSameDatabase } from '../../lib/postgres-database.js';
import { postgresLocation } from '../../lib/show-url.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/**
 * Where the runs of a workspace are kept, resolved. `url` may hold a password: it is handed to the
 * driver and shown nowhere.
 */
export type StoragePlace =
  | { readonly backend: 'sqlite' }
  | {
      readonly backend: 'postgres';
      readonly url: string;
      /** What a person changes to move it: `storage.runtime.url` or `KIT_STORE_URL`. */
      readonly setting: string;
    };

/** Where the bytes of artifacts are kept; their records are in the database of the runs, always. */
export type ArtifactPlace =
  | { readonly kind: 'database' }
  | {
      /** A database of their own. */
      readonly kind: 'postgres';
      readonly place: Extract<StoragePlace, { readonly backend: 'postgres' }>;
    }
  | {
      readonly kind: 'plugin';
      /** Id or name of a contribution to `artifactStores`. */
      readonly plugin: string;
      /** May still hold `${VAR}` and `{credential.<ref>}`: resolved when the store is opened. */
      readonly config: JsonObject;
    };

/** A place with what decided it. */
export interface Sited {
  readonly place: StoragePlace;
  /** `default`, `env`, `storage.runtime` or `storage.<store>`. */
  readonly source: string;
  /** The variable or the key; null = nothing is written. */
  readonly setting: string | null;
}

const SQLITE: StoragePlace = { backend: 'sqlite' };

/**
 * Decides where runs are kept: the environment, else `storage.runtime`, else SQLite in the state
 * directory. The journal lies in the database of the runs, whatever `storage.checkpoints` says
 * (`journalSite`). Where the log is copied to is `auditSite`.
 *
 * Throws KIT_STORE_UNAVAILABLE for a database without a URL, a variable that is not set, and what
 * is not there yet; it never falls back to SQLite.
 */
export function resolveStorage(settings: StorageSettings, environment: StorageEnvironment): StoragePlace {
  const { place } = runtimeSite(settings, environment);
  journalSite(settings, environment);
  return place;
}

/** Where the journal lies, and what a start says where the workspace asked for another place. */
export interface JournalSite extends Sited {
  readonly warning: string | null;
}

const KEPT_WITH_RUNS =
  'storage.checkpoints names another database than the one of the runs: the journal is kept with the runs. Remove storage.checkpoints, or write `storage: { checkpoints: { backend: ENGINE } }`.';

/**
 * The journal of a process that shares its runs with nobody: with the runs, also where
 * `storage.checkpoints` names another database, which is then said at each start
 * (docs/design/journal.md#shared-journal). Throws KIT_STORE_UNAVAILABLE for a variable that nothing
 * defines.
 */
export function journalSite(settings: StorageSettings, environment: StorageEnvironment): JournalSite {
  try {
    return { ...besideRuns(settings, environment), warning: null };
  } catch (error) {
    if (!isKitError(error) || error.data.setting !== 'storage.checkpoints') throw error;
    const { place } = runtimeSite(settings, environment);
    return {
      place,
      source: 'storage.checkpoints → storage.runtime',
      setting: 'storage.checkpoints',
      warning: KEPT_WITH_RUNS.replace('ENGINE', place.backend),
    };
  }
}

/** The database of the runs. Throws KIT_STORE_UNAVAILABLE. */
export function runtimeSite({ runtime }: StorageSettings, environment: StorageEnvironment): Sited {
  const choice = environmentChoice(environment);
  switch (choice.kind) {
    case 'sqlite':
      return { place: SQLITE, source: 'env', setting: 'KIT_STORE_BACKEND' };
    case 'url':
      return { place: postgresAt(choice.url, choice.setting), source: 'env', setting: choice.setting };
    case 'postgres':
      return {
        place: runtimeServer(runtime, { environment, namedBy: 'KIT_STORE_BACKEND' }),
        source: 'env',
        setting: 'KIT_STORE_BACKEND',
      };
    case 'silent':
      return writtenSite(runtime, environment);
  }
}

function writtenSite(block: StorageBlock | null, environment: StorageEnvironment): Sited {
  if (says(block) === null) return { place: SQLITE, source: 'default', setting: null };
  const source = 'storage.runtime';
  if (says(block) === 'sqlite') return { place: SQLITE, source, setting: 'storage.runtime.backend' };
  return { place: runtimeServer(block, { environment, namedBy: source }), source, setting: 'storage.runtime.url' };
}

function runtimeServer(
  block: StorageBlock | null,
  from: { readonly environment: StorageEnvironment; readonly namedBy: string },
): StoragePlace {
  if (block === null || block.url === null) {
    throw new KitError('KIT_STORE_UNAVAILABLE', `${from.namedBy} names postgres, and no URL says where it is`, {
      hint: 'Add `url` under storage.runtime, as a reference to a variable that holds it, or set KIT_STORE_URL to postgres://user:password@host:5432/database.',
    });
  }
  return postgresAt(
    resolvedText(block.url, { setting: 'storage.runtime.url', environment: from.environment }),
    'storage.runtime.url',
  );
}

export const says = saysEngine;

/**
 * The text of a setting with its references resolved. Throws KIT_STORE_UNAVAILABLE naming what
 * nothing defines.
 */
export function resolvedText(
  text: string,
  of: { readonly setting: string; readonly environment: StorageEnvironment },
): string {
  const found = of.environment.resolve(text);
  if (found.unresolved.length === 0) return found.text;
  throw new KitError(
    'KIT_STORE_UNAVAILABLE',
    `${of.setting} needs ${found.unresolved.join(', ')}, which nothing defines`,
    {
      hint: `Set ${found.unresolved.join(', ')} in the environment or in workspace.env.yaml.`,
    },
  );
}

/**
 * A server by its URL, whose text is repeated nowhere: it may be a password in the wrong place.
 * Throws KIT_STORE_UNAVAILABLE.
 */
export function postgresAt(url: string, setting: string): StoragePlace {
  if (postgresLocation(url) !== null) return { backend: 'postgres', url, setting };
  const wayOut =
    setting === 'DATABASE_URL'
      ? '; or, when it belongs to another program, set KIT_STORE_BACKEND=sqlite or KIT_STORE_URL'
      : '';
  throw new KitError('KIT_STORE_UNAVAILABLE', `${setting} is not a PostgreSQL URL`, {
    hint: `Write it as postgres://user:password@host:5432/database in ${setting}${wayOut}.`,
  });
}

/**
 * The SQLite file of the runs; where KIT_STATE_DIR moves the state directory, it moves this file as
 * well.
 */
const OWN_FILE = '.kit/store.sqlite';

/**
 * The journal in the database of the runs. Its block may name that database; one that names
 * postgres
 * without a URL means it too. What the environment decides does not hold for one that names another
 * server: it is refused (`data.setting`).
 */
export function besideRuns(settings: StorageSettings, environment: StorageEnvironment): Sited {
  const runtime = runtimeSite(settings, environment);
  const { checkpoints: block } = settings;
  const decided = environmentChoice(environment).kind;
  const engine = says(block);
  if (block === null || engine === null || decided === 'sqlite') return runtime;
  const setting = 'storage.checkpoints';
  const url = block.url === null ? null : resolvedText(block.url, { setting: `${setting}.url`, environment });
  const { place } = runtime;
  const path = 'path' in block ? block.path : undefined;
  const isSame =
    place.backend === 'sqlite'
      ? engine === 'sqlite' && (path === undefined || posix.normalize(path) === OWN_FILE)
      : engine === 'postgres' && path === undefined && (url === null || isSameDatabase(url, place.url));
  if (isSame)
    return {
      place,
      source: decided === 'silent' ? setting : runtime.source,
      setting: decided === 'silent' ? setting : runtime.setting,
    };
  const runs = path !== undefined && place.backend === 'sqlite' ? OWN_FILE : 'the database of storage.runtime';
  throw new KitError(
    'KIT_STORE_UNAVAILABLE',
    `${setting} names another database than the one of the runs, which this version does not use`,
    { hint: `Remove ${setting}: the journal is in ${runs}.`, data: { setting } },
  );
}
