import { KitError } from '../../domain/errors.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { isSameDatabase } from '../../lib/postgres-database.js';
import { postgresAt, resolvedText, runtimeSite, type Sited, type StoragePlace, says } from './resolve-storage.js';
import { environmentChoice, type StorageEnvironment } from './storage-environment.js';

/** A server that the log is copied to; the runs lie in another database. */
export type AuditPlace = Extract<StoragePlace, { readonly backend: 'postgres' }>;

/**
 * Where the log lies. `copy`: the database that it is copied to; null = it lies with the runs and
 * nowhere else.
 */
export interface AuditSite extends Sited {
  readonly copy: AuditPlace | null;
}

const SETTING = 'storage.audit';

/**
 * `storage.audit`: absent, it follows the runs; a block may name their database, or a PostgreSQL of
 * its own, which every event is then copied to (docs/design/journal.md#log-copy). A URL of the
 * environment, and `KIT_STORE_BACKEND=sqlite`, move the log with everything else.
 *
 * Throws KIT_STORE_UNAVAILABLE for a local file beside runs on a server, and for a server without a
 * URL.
 */
export function auditSite(settings: StorageSettings, environment: StorageEnvironment): AuditSite {
  const runtime = runtimeSite(settings, environment);
  const withRuns: AuditSite = { ...runtime, copy: null };
  const { audit } = settings;
  const choice = environmentChoice(environment).kind;
  const written = says(audit);
  if (audit === null || written === null || choice === 'sqlite' || choice === 'url') return withRuns;
  const named: AuditSite = choice === 'silent' ? { ...withRuns, source: SETTING, setting: SETTING } : withRuns;
  const engine = choice === 'postgres' ? 'postgres' : written;
  if (engine === 'sqlite') {
    if (runtime.place.backend === 'sqlite') return named;
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `${SETTING} names sqlite, and the runs lie on a server: a log of many machines cannot lie in a local file`,
      {
        hint: `Remove ${SETTING}, or give it the URL of a PostgreSQL database.`,
        data: { setting: SETTING },
      },
    );
  }
  if (audit.url === null) {
    if (runtime.place.backend === 'postgres') return named;
    throw new KitError('KIT_STORE_UNAVAILABLE', `${SETTING} names postgres, and no URL says where it is`, {
      hint: `Add \`url\` under ${SETTING}, as a reference to a variable that holds it, or remove ${SETTING}.`,
      data: { setting: SETTING },
    });
  }
  const setting = `${SETTING}.url`;
  const place = postgresAt(resolvedText(audit.url, { setting, environment }), setting);
  if (place.backend !== 'postgres') return named; // a URL names a server
  if (runtime.place.backend === 'postgres' && isSameDatabase(place.url, runtime.place.url)) return named;
  return { place, source: SETTING, setting, copy: place };
}
