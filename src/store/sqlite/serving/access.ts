import type { AccessEntry } from '../../../domain/ports/serving.js';
import { type AccessRecord, accessParams, decodeAccess } from '../../access-row.js';
import { ADD_ACCESS, READ_ACCESS } from '../../sql/access.js';
import { isoAt, type SqliteDeps } from '../deps.js';

export async function recordAccess(deps: SqliteDeps, entries: readonly AccessEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await deps.queue.run(['serving.access'], (sql) => {
    const nowMs = deps.clock.now();
    for (const entry of entries) sql.run(ADD_ACCESS, accessParams(entry, isoAt(nowMs)));
  });
}

export async function access(
  deps: SqliteDeps,
  limit: number,
): Promise<readonly (AccessEntry & { readonly at: string })[]> {
  return (await deps.read((sql) => sql.all<AccessRecord>(READ_ACCESS, { limit }))).map(decodeAccess);
}
