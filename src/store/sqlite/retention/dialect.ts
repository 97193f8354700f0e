import type { RetentionStore } from '../../../domain/ports/retention.js';
import type { BlobFiles } from '../../blob-files.js';
import { createIdleKnowledge } from '../../knowledge/knowledge-store.js';
import { run, SQLITE_DIALECT } from '../../program.js';
import { createRetention } from '../../retention/create-retention.js';
import type { RetentionDialect } from '../../retention/dialect.js';
import { removeAccess, retentionLooks } from '../../retention/looks.js';
import { type RemoveWords, removeSlice } from '../../retention/remove.js';
import type { SqliteDeps } from '../deps.js';
import { sqlitePrograms } from '../programs.js';
import { removeBlobs } from '../remove-blobs.js';
import { PRUNE, remove } from '../sql/prune.js';
import { DIGEST_LIST } from '../sql/retention.js';
import { accessShareOf, databaseBytes, reclaim, sharesOf, sizeOf, usedBytes } from './sizes.js';

/** With their indexes, slices of these rows stay below 50 ms (docs/design/journal.md#sqlite). */
const WORDS: RemoveWords = {
  PRUNE,
  DIGEST_LIST,
  *removeRows(table, keys, params) {
    return { rows: yield* run(remove(table, keys), params), bytes: 0 };
  },
  sliceRows: 400,
  sliceLines: 2_000,
};

/** Removing whole runs in SQLite. */
export const createSqliteRetention = (deps: SqliteDeps, files: BlobFiles): RetentionStore =>
  createRetention(sqliteDialect(deps, files));

function sqliteDialect(deps: SqliteDeps, files: BlobFiles): RetentionDialect {
  const { read, pacing } = deps;
  const programs = sqlitePrograms(deps);
  const knowledge = createIdleKnowledge(programs, SQLITE_DIALECT);
  const looks = retentionLooks(programs, WORDS);
  // Many of these follow each other, and others have their turn between two of them.
  const due: RetentionDialect['due'] = async (page) => {
    await pacing.nextTurn();
    return looks.due(page);
  };
  return {
    batchRuns: 20,
    ...looks,
    due,
    shares: async (ids) => {
      await pacing.nextTurn();
      return read((sql) => sharesOf(sql, JSON.stringify(ids)));
    },
    accessShare: (before) => read((sql) => accessShareOf(sql, before)),
    blobBytes: async (digests, before) =>
      digests.map((digest) => files.unusedBytes(digest, Date.parse(before))).filter((bytes) => bytes !== null),
    databaseBytes: (shares, going) => databaseBytes({ ...deps, due }, shares, going),
    size: () => read(sizeOf),
    removeSlice: (slice) => programs.write('run.remove', (at) => removeSlice(WORDS, slice, at())),
    removeBlobs: (digests, before) => removeBlobs(deps, files, { digests, before }),
    removeAccess: async (before) => (await removeAccess(programs, WORDS, before)).rows,
    idleKnowledge: knowledge.share,
    removeIdleKnowledge: knowledge.remove,
    usedBytes: () => read(usedBytes),
    reclaim: (signal) => reclaim(deps, signal),
  };
}
