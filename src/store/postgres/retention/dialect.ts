import type { RetentionStore } from '../../../domain/ports/retention.js';
import { createIdleKnowledge } from '../../knowledge/knowledge-store.js';
import { change, POSTGRES_DIALECT } from '../../program.js';
import { createRetention } from '../../retention/create-retention.js';
import type { RetentionDialect, Shares, TableShare } from '../../retention/dialect.js';
import { removeAccess, retentionLooks } from '../../retention/looks.js';
import { type RemoveWords, removeSlice } from '../../retention/remove.js';
import { OLDEST, PRUNE_TABLES } from '../../sql/prune.js';
import type { PostgresDeps } from '../deps.js';
import { postgresPrograms } from '../programs.js';
import { removeBlobs } from '../remove-blobs.js';
import { ACCESS_SHARE, BLOB_BYTES, BYTES_OF, DISK_BYTES, PRUNE, REMOVE } from '../sql/prune.js';
import { DIGEST_LIST } from '../sql/retention.js';

/** What is kept of a run, by the measure of the rows that go. */
const KEPT_BYTES = 300;
const NOTHING: TableShare = { rows: 0, bytes: 0 };

/** Locks are held for tens of milliseconds. */
const WORDS: RemoveWords = {
  PRUNE,
  DIGEST_LIST,
  *removeRows(table, keys, params) {
    return (yield* change<TableShare>(REMOVE(table, keys), params))[0] ?? NOTHING;
  },
  sliceRows: 4_000,
  sliceLines: 4_000,
};

/** Removing whole runs in PostgreSQL. */
export const createPostgresRetention = (deps: PostgresDeps): RetentionStore => createRetention(postgresDialect(deps));

function postgresDialect(deps: PostgresDeps): RetentionDialect {
  const { read } = deps;
  const programs = postgresPrograms(deps);
  const knowledge = createIdleKnowledge(programs, POSTGRES_DIALECT);
  let removedBytes = 0;
  return {
    batchRuns: 100,
    ...retentionLooks(programs, WORDS),
    shares: (ids) => sharesOf(deps, ids),
    accessShare: async (before) => (await read((sql) => sql.get<TableShare>(ACCESS_SHARE, { before }))) ?? NOTHING,
    blobBytes: async (digests, before) =>
      (await read((sql) => sql.all<{ bytes: number }>(BLOB_BYTES, { digests, before }))).map(({ bytes }) => bytes),
    databaseBytes: async (shares, { runs }) => {
      const now = await diskBytes(deps);
      const freed = Object.values(shares).reduce((sum, { bytes }) => sum + bytes, 0) - runs * KEPT_BYTES;
      return { freed, now, after: now };
    },
    size: async () => ({
      bytes: await diskBytes(deps),
      oldest: (await read((sql) => sql.get<{ oldest: string }>(OLDEST)))?.oldest ?? null,
    }),
    removeSlice: async (slice) => {
      const { bytes, ...removed } = await programs.write(
        'run.remove',
        (at) => removeSlice(WORDS, slice, at()),
        slice.ids,
      );
      removedBytes += bytes - removed.taken * KEPT_BYTES;
      return removed;
    },
    removeBlobs: (digests, before) => removeBlobs(deps, { digests, before }),
    removeAccess: async (before) => {
      const { rows, bytes } = await removeAccess(programs, WORDS, before);
      removedBytes += bytes;
      return rows;
    },
    idleKnowledge: knowledge.share,
    removeIdleKnowledge: async (before) => {
      const { bytes } = await knowledge.share(before);
      const removed = await knowledge.remove(before);
      removedBytes += bytes;
      return removed;
    },
    usedBytes: async () => -removedBytes,
    // Dead rows are the server's to clean up (autovacuum).
    reclaim: async () => undefined,
  };
}

const diskBytes = async ({ read }: PostgresDeps): Promise<number> =>
  Number((await read((sql) => sql.get<{ bytes: unknown }>(DISK_BYTES)))?.bytes ?? 0);

async function sharesOf({ read }: PostgresDeps, ids: readonly string[]): Promise<Shares> {
  const shares: Record<string, TableShare> = {};
  for (const table of PRUNE_TABLES) {
    shares[table] = (await read((sql) => sql.get<TableShare>(PRUNE.SHARE(table, BYTES_OF(table)), { ids }))) ?? NOTHING;
  }
  return shares;
}
