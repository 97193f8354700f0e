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

/** A database that the runs do not lie in. */
export type OwnPlace = Extract<StoragePlace, { readonly backend: 'postgres' }>;

/** Where a kind of rows lies. `own`: a database of its own; null = they lie with the runs. */
export interface OwnSite extends Sited {
  readonly own: OwnPlace | null;
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
  /** What cannot lie in the file of one machine. */
  readonly shared: 'a log of many machines' | 'what many machines make' | 'what many machines remember';
}

/**
 * Absent, the rows lie with the runs; a block may name their database, or a PostgreSQL of its own.
 * Where the block names sqlite, its URL counts for nothing, as that of `storage.runtime`. A URL of
 * the environment, and `KIT_STORE_BACKEND`, move them with everything else.
 *
 * Throws KIT_STORE_UNAVAILABLE for a local file beside runs on a server (another machine could not
 * read it), and for a server without a URL.
 */
function ownSite(of: OwnBlock, settings: StorageSettings, environment: StorageEnvironment): OwnSite {
  const isSilent = environmentChoice(environment).kind === 'silent';
  return siteOf(of, { engine: isSilent ? says(of.block) : null, settings, environment });
}

/** The same for the engine that was decided; null: nothing names one. */
function siteOf(
  { setting: written, block, urlKey, urlWords, shared }: OwnBlock,
  at: {
    readonly engine: StoragePlace['backend'] | null;
    readonly settings: StorageSettings;
    readonly environment: StorageEnvironment;
  },
): OwnSite {
  const { engine, settings, environment } = at;
  const runtime = runtimeSite(settings, environment);
  const withRuns: OwnSite = { ...runtime, own: null };
  if (block === null || engine === null) return withRuns;
  const isSilent = environmentChoice(environment).kind === 'silent';
  const named: OwnSite = isSilent ? { ...withRuns, source: written, setting: written } : withRuns;
  if (engine === runtime.place.backend && (engine === 'sqlite' || block.url === null)) return named;
  const unavailable = (problem: string, hint: string): KitError =>
    new KitError('KIT_STORE_UNAVAILABLE', `${written} ${problem}`, { hint, data: { setting: written } });
  if (engine === 'sqlite')
    throw unavailable(
      `names sqlite, and the runs lie on a server: ${shared} cannot lie in a local file`,
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
 * `storage.audit`: a PostgreSQL of its own is one that every event is copied to
 * (docs/design/journal.md#log-copy). `KIT_STORE_BACKEND=postgres` decides nothing about the copy.
 * Throws as `ownSite` does.
 */
export function auditSite(settings: StorageSettings, environment: StorageEnvironment): OwnSite {
  const { audit } = settings;
  const choice = environmentChoice(environment).kind;
  const written = choice === 'silent' || choice === 'postgres' ? says(audit) : null;
  return siteOf(
    {
      ...{ setting: 'storage.audit', block: audit, urlKey: 'url', urlWords: 'URL' },
      shared: 'a log of many machines',
    },
    { engine: written !== null && choice === 'postgres' ? choice : written, settings, environment },
  );
}

/**
 * `storage.memory`: a PostgreSQL of its own is shared by the workspaces that name the same one.
 * Throws as `ownSite` does: what a run remembers would depend on the machine that carried it out.
 */
export const memorySite = (settings: StorageSettings, environment: StorageEnvironment): OwnSite =>
  ownSite(
    {
      setting: 'storage.memory',
      block: settings.memory,
      urlKey: 'url',
      urlWords: 'URL',
      shared: 'what many machines remember',
    },
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
    {
      setting: 'storage.artifacts',
      block,
      urlKey: 'database_url',
      urlWords: '`database_url`',
      shared: 'what many machines make',
    },
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
