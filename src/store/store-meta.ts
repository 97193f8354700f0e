import { KitError } from '../domain/errors.js';
import { SCHEMA_VERSION } from './migrations.js';

/** Bytes of the key that cursors are signed with. */
export const CURSOR_KEY_BYTES = 32;

export interface StoreMeta {
  /** Names this log for ever, also after it has moved to another database. */
  readonly logId: string;
  readonly cursorKey: Uint8Array;
}

/** Throws KIT_STORE_NEWER for a schema that only a newer kit knows. */
export function refuseNewer(found: number): void {
  if (found <= SCHEMA_VERSION) return;
  throw new KitError('KIT_STORE_NEWER', `the store has schema version ${found}, this kit knows up to ${SCHEMA_VERSION}`, {
    data: { found, known: SCHEMA_VERSION },
  });
}
