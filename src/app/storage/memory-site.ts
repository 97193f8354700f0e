import { KitError } from '../../domain/errors.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { isSameDatabase } from '../../lib/postgres-database.js';
import { postgresAt, resolvedText, runtimeSite, type Sited, type StoragePlace, says } from './resolve-storage.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/** Where memory lies. `own`: a database of its own; null = it lies with the runs. */
export interface MemorySite extends Sited {
  readonly own: Extract<StoragePlace, { readonly backend: 'postgres' }> | null;
}

const SETTING = 'storage.memory';

/**
 * `storage.memory`: absent, memory lies with the runs; a block may name their database, or a
 * PostgreSQL of its own, which workspaces that name the same one share. A URL of the environment,
 * and `KIT_STORE_BACKEND`, move it with everything else.
 *
 * Throws KIT_STORE_UNAVAILABLE for a local file beside runs on a server (what a run remembers would
 * depend on the machine that carried it out), and for a server without a URL.
 */
export function memorySite(settings: StorageSettings, environment: StorageEnvironment): MemorySite {
  const runtime = runtimeSite(settings, environment);
  const withRuns: MemorySite = { ...runtime, own: null };
  const { memory } = settings;
  const engine = says(memory);
  if (memory === null || engine === null || environmentChoice(environment).kind !== 'silent') return withRuns;
  const named: MemorySite = { ...withRuns, source: SETTING, setting: SETTING };
  if (engine === runtime.place.backend && memory.url === null) return named;
  if (engine === 'sqlite') {
    throw unavailable(
      'names sqlite, and the runs lie on a server: what many machines remember cannot lie in a local file',
      {
        hint: `Remove ${SETTING}, or give it the URL of a PostgreSQL database.`,
      },
    );
  }
  if (memory.url === null) {
    throw unavailable('names postgres, and no URL says where it is', {
      hint: `Add \`url\` under ${SETTING}, as a reference to a variable that holds it, or remove ${SETTING}.`,
    });
  }
  const setting = `${SETTING}.url`;
  const place = postgresAt(resolvedText(memory.url, { setting, environment }), setting);
  if (place.backend !== 'postgres') return named; // a URL names a server
  if (runtime.place.backend === 'postgres' && isSameDatabase(place.url, runtime.place.url)) return named;
  return { place, source: SETTING, setting, own: place };
}

const unavailable = (problem: string, { hint }: { readonly hint: string }): KitError =>
  new KitError('KIT_STORE_UNAVAILABLE', `${SETTING} ${problem}`, { hint, data: { setting: SETTING } });
