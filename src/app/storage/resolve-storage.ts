import { KitError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { StorageBlock, StorageSettings } from '../../domain/workspace.js';
import type { Interpolated } from '../../lib/interpolate-text.js';

/** Where the runs of a workspace are kept, resolved. `url` may hold a password: it is handed to the driver and shown nowhere. */
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
      readonly kind: 'plugin';
      /** Id or name of a contribution to `artifactStores`. */
      readonly plugin: string;
      /** May still hold `${VAR}` and `{credential.<ref>}`: resolved when the store is opened. */
      readonly config: JsonObject;
    };

/** What resolving needs beside the settings. */
export interface StorageEnvironment {
  /** `KIT_STORE_URL`; null = unset. */
  readonly storeUrl: string | null;
  readonly resolve: (text: string) => Interpolated;
}

const SQLITE: StoragePlace = { backend: 'sqlite' };

/**
 * Decides where runs are kept: `KIT_STORE_URL`, else `storage.runtime`, else SQLite in the state directory (artifacts.md 3.8).
 * Journal and log lie in the database of the runs, so `storage.checkpoints` and `storage.audit` follow it where they are absent,
 * and may name it; another database is refused until it is there. (The interface lets an absent `checkpoints` be a local SQLite
 * file beside a PostgreSQL runtime: then a run could not go on from another machine.)
 *
 * Throws KIT_STORE_UNAVAILABLE for a database without a URL, a variable that is not set, and what is not there yet; it never
 * falls back to SQLite.
 */
export function resolveStorage(settings: StorageSettings, environment: StorageEnvironment): StoragePlace {
  const runtime = runtimePlace(settings.runtime, environment);
  // A URL of the environment stands for every store but checkpoints.
  if (environment.storeUrl === null) requireSame('audit', { block: settings.audit, runtime, environment });
  requireSame('checkpoints', { block: settings.checkpoints, runtime, environment });
  const { artifacts } = settings;
  if (environment.storeUrl === null && artifacts?.kind === 'database') requireSame('artifacts', { block: artifacts, runtime, environment });
  return runtime;
}

/** `storage.artifacts`: beside the runs, or with a plugin. A URL of the environment moves databases and leaves plugins alone. */
export const artifactPlace = ({ artifacts }: StorageSettings): ArtifactPlace => (artifacts?.kind === 'plugin' ? artifacts : { kind: 'database' });

function runtimePlace(block: StorageBlock | null, { storeUrl, resolve }: StorageEnvironment): StoragePlace {
  if (storeUrl !== null) return { backend: 'postgres', url: storeUrl, setting: 'KIT_STORE_URL' };
  if (block === null || (block.backend === null && block.url === null) || block.backend === 'sqlite') return SQLITE;
  if (block.url === null) throw noUrl();
  return { backend: 'postgres', url: resolved(block.url, { setting: 'storage.runtime.url', resolve }), setting: 'storage.runtime.url' };
}

function resolved(text: string, of: { readonly setting: string; readonly resolve: StorageEnvironment['resolve'] }): string {
  const found = of.resolve(text);
  if (found.unresolved.length === 0) return found.text;
  throw new KitError('KIT_STORE_UNAVAILABLE', `${of.setting} needs ${found.unresolved.join(', ')}, which nothing defines`, {
    hint: `Set ${found.unresolved.join(', ')} in the environment or in workspace.env.yaml.`,
  });
}

const noUrl = (): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', 'storage.runtime names postgres, and no URL says where it is', {
    hint: 'Add `url` under storage.runtime, as a reference to a variable that holds it, or set KIT_STORE_URL to postgres://user:password@host:5432/database.',
  });

interface Other {
  readonly block: StorageBlock | null;
  readonly runtime: StoragePlace;
  readonly environment: StorageEnvironment;
}

const WHAT_LIES_THERE = { checkpoints: 'journal and log lie', audit: 'journal and log lie', artifacts: 'records of artifacts lie' } as const;

/** A block that names postgres without a URL means the runtime's; absent means the same. */
function requireSame(name: keyof typeof WHAT_LIES_THERE, { block, runtime, environment }: Other): void {
  if (block === null) return;
  const setting = `storage.${name}`;
  const key = name === 'artifacts' ? 'database_url' : 'url';
  const url = block.url === null ? null : resolved(block.url, { setting: `${setting}.${key}`, resolve: environment.resolve });
  const isPostgres = block.backend === 'postgres' || (block.backend === null && url !== null);
  const isSame = runtime.backend === 'sqlite' ? !isPostgres : block.backend !== 'sqlite' && (url === null || url === runtime.url);
  if (isSame) return;
  throw new KitError('KIT_STORE_UNAVAILABLE', `${setting} names another database than the one of the runs, which this version does not use`, {
    hint: `Remove ${setting}: ${WHAT_LIES_THERE[name]} in the database of storage.runtime.`,
    data: { setting },
  });
}
