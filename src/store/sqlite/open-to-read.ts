import { isKitError, KitError } from '../../domain/errors.js';
import { SCHEMA_VERSION } from '../migrations.js';
import type { Pacing } from '../pacing.js';
import type { StoreMeta } from '../store-meta.js';
import { retryBusy } from './busy.js';
import { type Connection, openConnection } from './connection.js';
import { metaOf, versionOf } from './migrate.js';

interface Unwritable {
  readonly path: string;
  readonly pacing: Pacing;
  /** KIT_STORE_FULL, KIT_STORE_READ_ONLY. */
  readonly refused: KitError;
}

interface Readable {
  readonly reader: Connection;
  readonly meta: StoreMeta;
}

/** Somebody else has it open, and then the files beside it are there. */
const PATIENCE_MS = 1_000;

/** A store that cannot be written can most often be read still; anything else cannot. */
export const mayBeRead = (error: unknown): error is KitError =>
  isKitError(error) && (error.code === 'KIT_STORE_FULL' || error.code === 'KIT_STORE_READ_ONLY');

/**
 * Opens a store that cannot be written, to be read. A reader of its log makes files beside it, for
 * which there may be no place: then it is read without, as long as nobody else has it open. Throws
 * `refused`, with what helps where that cannot be done either.
 */
export async function openToRead(of: Unwritable): Promise<Readable> {
  for (const mode of ['read', 'alone'] as const) {
    const found = await lookAt(of, mode).catch(() => null);
    if (found !== null) return found;
  }
  const { code, message, cause, data } = of.refused;
  throw new KitError(code, `${message}; it cannot be read where it lies either`, {
    hint: 'Make it writable, or copy its state directory to a disk with room and read the copy: set KIT_STATE_DIR to it',
    cause,
    ...(data === undefined ? {} : { data }),
  });
}

async function lookAt({ path, pacing, refused }: Unwritable, mode: 'read' | 'alone'): Promise<Readable> {
  const reader = await openConnection({ path, mode, pacing });
  try {
    const meta = await retryBusy(
      pacing,
      () => {
        // An older one is brought up to date first, which is a write.
        if (versionOf(reader.sql) !== SCHEMA_VERSION) throw refused;
        return metaOf(reader.sql);
      },
      PATIENCE_MS,
    );
    return { reader, meta };
  } catch (error) {
    reader.close();
    throw error;
  }
}
