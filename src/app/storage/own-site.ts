import { KitError } from '../../domain/errors.js';
import type { StorageBlock, StorageSettings } from '../../domain/storage-settings.js';
import { isSameDatabase } from '../../lib/postgres-database.js';
import {
  type ArtifactPlace,
  postgresAt,
  resolvedText,
  runtimeSite,
  type Sited,
  type StoragePlace,
  says,
} from './resolve-storage.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/** Where a kind of rows lies. `own`: a database of its own; null = they lie with the runs. */
export interface OwnSite extends Sited {
  readonly own: Extract<StoragePlace, { readonly backend: 'postgres' }> | null;
}

/** A block of `storage` that may name such a database, with the words about it. */
interface OwnBlock {
  /** `storage.memory`. */
  readonly setting: string;
  /** Null: the block is absent, or a plugin keeps what it is about. */
  readonly block: StorageBlock | null;
  /** The key of its URL, and what a hint calls that. */
  readonly urlKey: 'url' | 'database_url';
  readonly urlWords: string;
  /** What many machines do, and what cannot lie in the file of one. */
  readonly verb: 'make' | 'remember';
}

/**
 * Absent, the rows lie with the runs; a block may name their database, or a PostgreSQL of its own.
 * A URL of the environment, and `KIT_STORE_BACKEND`, move them with everything else.
 *
 * Throws KIT_STORE_UNAVAILABLE for a local file beside runs on a server (another machine could not
 * read it), and for a server without a URL.
 */
function ownSite(of: OwnBlock, settings: StorageSettings, environment: StorageEnvironment): OwnSite {
  const { setting: written, block, urlKey, urlWords, verb } = of;
  const runtime = runtimeSite(settings, environment);
  const withRuns: OwnSite = { ...runtime, own: null };
  const engine = says(block);
  if (block === null || engine === null || environmentChoice(environment).kind !== 'silent') return withRuns;
  const named: OwnSite = { ...withRuns, source: written, setting: written };
  if (engine === runtime.place.backend && block.url === null) return named;
  const unavailable = (problem: string, hint: string): KitError =>
    new KitError('KIT_STORE_UNAVAILABLE', `${written} ${problem}`, { hint, data: { setting: written } });
  if (engine === 'sqlite')
    throw unavailable(
      `names sqlite, and the runs lie on a server: what many machines ${verb} cannot lie in a local file`,
      `Remove ${written}, or give it the ${urlWords} of a PostgreSQL database.`,
    );
  if (block.url === null)
    throw unavailable(
      'names postgres, and no URL says where it is',
      `Add \`${urlKey}\` under ${written}, as a reference to a variable that holds it, or remove ${written}.`,
    );
  const setting = `${written}.${urlKey}`;
  const place = postgresAt(resolvedText(block.url, { setting, environment }), setting);
  if (place.backend !== 'postgres') return named; // a URL names a server
  if (runtime.place.backend === 'postgres' && isSameDatabase(place.url, runtime.place.url)) return named;
  return { place, source: written, setting, own: place };
}

/**
 * `storage.memory`: a PostgreSQL of its own is shared by the workspaces that name the same one.
 * Throws as `ownSite` does: what a run remembers would depend on the machine that carried it out.
 */
export const memorySite = (settings: StorageSettings, environment: StorageEnvironment): OwnSite =>
  ownSite(
    { setting: 'storage.memory', block: settings.memory, urlKey: 'url', urlWords: 'URL', verb: 'remember' },
    settings,
    environment,
  );

/**
 * `storage.artifacts` without a plugin. A PostgreSQL of its own keeps the bytes, under their
 * digest; what names them lies with the runs and is fenced with them
 * (docs/design/journal.md#blobs-first). Throws as `ownSite` does.
 */
export function artifactSite(settings: StorageSettings, environment: StorageEnvironment): OwnSite {
  const { artifacts } = settings;
  const block = artifacts?.kind === 'plugin' ? null : artifacts;
  return ownSite(
    { setting: 'storage.artifacts', block, urlKey: 'database_url', urlWords: '`database_url`', verb: 'make' },
    settings,
    environment,
  );
}

/** Beside the runs, in a database of their own, or with a plugin. Throws as `artifactSite` does. */
export function artifactPlace(settings: StorageSettings, environment: StorageEnvironment): ArtifactPlace {
  const { artifacts } = settings;
  if (artifacts?.kind === 'plugin') return artifacts;
  const { own } = artifactSite(settings, environment);
  return own === null ? { kind: 'database' } : { kind: 'postgres', place: own };
}
