import type { ClosingRows } from '../lazy-sealed.js';
import { createSealedRows } from '../sealed/sealed-rows.js';
import type { PostgresDeps } from './deps.js';
import { postgresPrograms } from './programs.js';

/** Sealed rows beside the runs: every process of the database has them. */
export function createPostgresSealed(deps: Pick<PostgresDeps, 'read' | 'queue'>, logId: string): ClosingRows {
  const rows = createSealedRows(postgresPrograms(deps), async () => logId);
  return { ...rows, close: async () => {} };
}
