import { KitError } from '../domain/errors.js';
import { SCHEMA_VERSION } from './migrations.js';

/** Bytes of the key that cursors are signed with. */
export const CURSOR_KEY_BYTES = 32;

export interface StoreMeta {
  /** Names this log for ever, also after it has moved to another database. */
  readonly logId: string;
  readonly cursorKey: Uint8Array;
}

/**
 * Throws KIT_STORE_NEWER for a schema that only a newer kit knows. `store`: which one, where there
 * are several.
 */
export function refuseNewer(found: number, store = 'the store'): void {
  if (found <= SCHEMA_VERSION) return;
  throw new KitError(
    'KIT_STORE_NEWER',
    `${store} has schema version ${found}, this kit knows up to ${SCHEMA_VERSION}`,
    {
      data: { found, known: SCHEMA_VERSION },
    },
  );
}

/** Set while a migration fills the store, and how far each table is; set once it has ended. */
export const MOVING_KEY = 'moving';
export const MOVED_KEY = 'moved';
export const markKey = (table: string): string => `moving:${table}`;

/**
 * Throws KIT_STORE_UNAVAILABLE for a store that a migration has not yet filled: what looks at it
 * now would see half of the runs.
 */
export function refuseMoving(moving: string | undefined): void {
  if (moving === undefined) return;
  throw new KitError('KIT_STORE_UNAVAILABLE', 'a migration into this store has begun and has not ended', {
    hint: 'Run `kit storage migrate` again: it goes on from where it was.',
  });
}
