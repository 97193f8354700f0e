import type pg from 'pg';
import { KitError } from '../../domain/errors.js';
import { installHint } from '../../domain/optional-packages.js';

/**
 * The driver; without PostgreSQL nobody waits for it. Throws KIT_STORE_UNAVAILABLE where the
 * package cannot be loaded.
 */
export async function loadDriver(setting: string): Promise<typeof pg> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    throw new KitError(
      'KIT_STORE_UNAVAILABLE',
      `${setting} names a PostgreSQL server, and the package pg cannot be loaded`,
      {
        hint: installHint('pg'),
        cause: error,
        data: { setting },
      },
    );
  }
}
