import type { AccessEntry } from '../../../domain/ports/serving.js';
import { type AccessRecord, accessParams, decodeAccess } from '../../access-row.js';
import { ADD_ACCESS, READ_ACCESS } from '../../sql/access.js';
import type { PostgresDeps } from '../deps.js';
import type { Transaction } from '../transaction.js';

export async function recordAccess(deps: PostgresDeps, entries: readonly AccessEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const work = async (tx: Transaction): Promise<void> => {
    for (const entry of entries) await tx.run(ADD_ACCESS, accessParams(entry, tx.now));
  };
  await deps.queue.run({ writes: ['serving.access'], jobs: [], work });
}

export async function access(
  deps: PostgresDeps,
  limit: number,
): Promise<readonly (AccessEntry & { readonly at: string })[]> {
  return (await deps.read((sql) => sql.all<AccessRecord>(READ_ACCESS, { limit }))).map(decodeAccess);
}
