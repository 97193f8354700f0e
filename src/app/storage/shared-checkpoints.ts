import { isKitError, KitError } from '../../domain/errors.js';
import type { StorageSettings } from '../../domain/storage-settings.js';
import { besideRuns, runtimeSite, type Sited, says } from './resolve-storage.js';
import type { StorageEnvironment } from './storage-environment.js';

/**
 * Where the journal of a process lies that shares its runs with others, and the sentence that its
 * start says.
 */
export interface SharedCheckpoints extends Sited {
  /**
   * Follows the place of the runs in the lines of the start; null: `storage.checkpoints` says it,
   * and nobody has to be told.
   */
  readonly notice: string | null;
}

/** Without a URL a block means the server of the runs. */
const TO_PASTE = 'storage: { checkpoints: { backend: postgres } }';

/**
 * `storage.checkpoints` of `kit serve --role api` and of a worker
 * (docs/design/journal.md#shared-journal): any of them may go on with any run, so the journal lies
 * in the database of the runs. An absent block means that (`source` is `role`); a block may name
 * that database. Whether the runs themselves lie on a server is asked elsewhere.
 *
 * Throws KIT_STORE_UNAVAILABLE (exit 2) for a block that resolves elsewhere, with the line to
 * paste, and for settings that name no database.
 */
export function assertSharedCheckpoints(settings: StorageSettings, environment: StorageEnvironment): SharedCheckpoints {
  if (says(settings.checkpoints) === null) {
    const notice = 'journal there too, as machines that share runs need it (storage.checkpoints is absent)';
    return { ...runtimeSite(settings, environment), source: 'role', notice };
  }
  try {
    return { ...besideRuns(settings, environment), notice: null };
  } catch (error) {
    if (!isKitError(error) || error.data.setting !== 'storage.checkpoints') throw error;
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      'storage.checkpoints names another database than the one of the runs: a run could not go on at another worker',
      {
        hint: `Remove storage.checkpoints, or write: ${TO_PASTE}`,
        data: { setting: 'storage.checkpoints' },
        cause: error,
      },
    );
  }
}
