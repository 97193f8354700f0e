import { onConnection } from './connections.js';
import type { PostgresPlace } from './location.js';
import { assertSchema, SCRATCH_PREFIX } from './schema.js';

/**
 * A process that was killed lets go of its locks as soon as the server notices; so long is waited
 * for it.
 */
const TRIES = 20;
const AGAIN_MS = 250;

/**
 * Removes the scratch schemas whose name begins with `prefix`, with everything in them; other
 * schemas cannot be named. Throws KIT_STORE_UNAVAILABLE, and what the server says when a schema
 * stays locked.
 */
export async function dropScratchSchemas(place: PostgresPlace, prefix: string): Promise<void> {
  if (!assertSchema(prefix).startsWith(SCRATCH_PREFIX)) throw new Error(`${prefix} names no scratch schema`);
  await onConnection({ place }, async ({ sql }) => {
    const rows = await sql.all<{ name: string }>(
      'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, @prefix) ORDER BY 1',
      { prefix },
    );
    for (const { name } of rows) await dropOne(() => sql.exec(`DROP SCHEMA IF EXISTS ${assertSchema(name)} CASCADE`));
  });
}

async function dropOne(drop: () => Promise<unknown>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await drop();
      return;
    } catch (error) {
      if (tried === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}
