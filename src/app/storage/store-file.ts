import { join } from 'node:path';
import type { Files } from '../../domain/ports/system.js';

/** Bytes of the SQLite store in a state directory; 0 = nothing was ever run there. */
export const storeFileBytes = async (files: Pick<Files, 'sizeBytes'>, stateDir: string): Promise<number> =>
  (await files.sizeBytes?.(join(stateDir, 'store.sqlite'))) ?? 0;
