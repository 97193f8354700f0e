import { KitError } from '../../domain/errors.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { resolveStorage, runtimeSite } from './resolve-storage.js';
import { assertSharedCheckpoints } from './shared-checkpoints.js';
import type { StorageEnvironment } from './storage-environment.js';

/** A process that shares its runs with other machines. */
export type SharingProcess = 'api' | 'worker';

const WHO = {
  api: { code: 'KIT_SERVE_REFUSED', name: '--role api' },
  worker: { code: 'KIT_WORKER_REFUSED', name: '`kit worker`' },
} as const;

const LINES = `storage:\n  runtime: { backend: postgres, url: "\${RUNS_URL}" }`;

/**
 * Refuses a process that shares its runs with other machines over a store that those cannot reach,
 * before anything is opened or bound: SQLite, and a journal that lies elsewhere than the runs
 * (docs/design/journal.md#shared-journal). An absent `checkpoints` block means the database of
 * `runtime`; what is returned then is said at the start, else null.
 *
 * Throws KIT_SERVE_REFUSED or KIT_WORKER_REFUSED naming the setting and the lines to paste, and
 * KIT_STORE_UNAVAILABLE as `resolveStorage` does.
 */
export function assertSharedStorage(
  settings: StorageSettings,
  environment: StorageEnvironment,
  by: SharingProcess,
): string | null {
  const { place, setting } = runtimeSite(settings, environment);
  if (place.backend === 'sqlite') {
    const { code, name } = WHO[by];
    const said = setting === null ? 'nothing says otherwise (storage.runtime)' : `${setting} says so`;
    throw new KitError(
      code,
      `${name} shares its runs with other processes over PostgreSQL, and here they are kept in SQLite: ${said}`,
      {
        hint: `${setting === 'KIT_STORE_BACKEND' ? 'Unset KIT_STORE_BACKEND, and set' : 'Set'} KIT_STORE_URL to postgres://user:password@host:5432/database, or write in workspace.yaml:\n${LINES}`,
        data: { setting: setting ?? 'storage.runtime' },
      },
    );
  }
  const { notice } = assertSharedCheckpoints(settings, environment);
  resolveStorage(settings, environment);
  return notice;
}
