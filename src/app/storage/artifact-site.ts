import { KitError } from '../../domain/errors.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
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

/** Where bytes of artifacts lie. `own`: a database of their own; null = they lie with the runs. */
export interface ArtifactSite extends Sited {
  readonly own: Extract<StoragePlace, { readonly backend: 'postgres' }> | null;
}

const SETTING = 'storage.artifacts';

/**
 * `storage.artifacts` without a plugin: absent, artifacts lie with the runs; a block may name their
 * database, or with `database_url` a PostgreSQL of its own. That one keeps the bytes, under their
 * digest; what names them lies with the runs and is fenced with them
 * (docs/design/journal.md#blobs-first). A URL of the environment, and `KIT_STORE_BACKEND`, move
 * them with everything else.
 *
 * Throws KIT_STORE_UNAVAILABLE for a local file beside runs on a server (another machine could not
 * read what a run has made), and for a server without a URL.
 */
export function artifactSite(settings: StorageSettings, environment: StorageEnvironment): ArtifactSite {
  const runtime = runtimeSite(settings, environment);
  const withRuns: ArtifactSite = { ...runtime, own: null };
  const { artifacts } = settings;
  if (artifacts === null || artifacts.kind === 'plugin' || environmentChoice(environment).kind !== 'silent')
    return withRuns;
  const engine = says(artifacts);
  if (engine === null) return withRuns;
  const named: ArtifactSite = { ...withRuns, source: SETTING, setting: SETTING };
  if (engine === runtime.place.backend && artifacts.url === null) return named;
  if (engine === 'sqlite')
    throw unavailable(
      'names sqlite, and the runs lie on a server: what many machines make cannot lie in a local file',
      `Remove ${SETTING}, or give it the \`database_url\` of a PostgreSQL database.`,
    );
  if (artifacts.url === null)
    throw unavailable(
      'names postgres, and no URL says where it is',
      `Add \`database_url\` under ${SETTING}, as a reference to a variable that holds it, or remove ${SETTING}.`,
    );
  const setting = `${SETTING}.database_url`;
  const place = postgresAt(resolvedText(artifacts.url, { setting, environment }), setting);
  if (place.backend !== 'postgres') return named; // a URL names a server
  if (runtime.place.backend === 'postgres' && isSameDatabase(place.url, runtime.place.url)) return named;
  return { place, source: SETTING, setting, own: place };
}

/** Beside the runs, in a database of their own, or with a plugin. Throws as `artifactSite` does. */
export function artifactPlace(settings: StorageSettings, environment: StorageEnvironment): ArtifactPlace {
  const { artifacts } = settings;
  if (artifacts?.kind === 'plugin') return artifacts;
  const { own } = artifactSite(settings, environment);
  return own === null ? { kind: 'database' } : { kind: 'postgres', place: own };
}

const unavailable = (problem: string, hint: string): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', `${SETTING} ${problem}`, { hint, data: { setting: SETTING } });
