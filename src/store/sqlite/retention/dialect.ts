import type { RetentionStore } from '../../../domain/ports/retention.js';
import type { BlobFiles } from '../../blob-files.js';
import { createIdleKnowledge } from '../../knowledge/knowledge-store.js';
import { run, SQLITE_DIALECT } from '../../program.js';
import { type AttachmentsRow, attachmentDigests } from '../../retention/attachments.js';
import { createRetention } from '../../retention/create-retention.js';
import type { DueRun, RetentionDialect } from '../../retention/dialect.js';
import { decodePruned, type PrunedRecord } from '../../retention/pruned-row.js';
import { type RemoveWords, removeLines, removeSlice } from '../../retention/remove.js';
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
  const list = (ids: readonly string[]) => ({ ids: JSON.stringify(ids) });
  /** Many of these follow each other, and others have their turn between two of them. */
  const readInTurn: typeof read = async (work) => {
    await pacing.nextTurn();
    return read(work);
  };
  const due: RetentionDialect['due'] = ({ before, after, limit }) =>
    readInTurn((sql) => sql.all<DueRun>(PRUNE.DUE, { before, at: after.at, ord: after.ord, limit }));
  return {
    batchRuns: 20,
    now: programs.now,
    due,
    ended: async (before, limit) =>
      (await read((sql) => sql.get<{ runs: number }>(PRUNE.ENDED, { before, limit })))?.runs ?? 0,
    undone: async (limit) =>
      (await read((sql) => sql.all<{ id: string }>(PRUNE.UNDONE, { limit }))).map(({ id }) => id),
    shares: (ids) => readInTurn((sql) => sharesOf(sql, JSON.stringify(ids))),
    accessShare: (before) => read((sql) => accessShareOf(sql, before)),
    digests: (ids) =>
      read((sql) => [
        ...sql.all<{ sha256: string }>(PRUNE.DIGESTS, list(ids)).map(({ sha256 }) => sha256),
        ...attachmentDigests(sql.all<AttachmentsRow>(PRUNE.ATTACHMENTS, list(ids))),
      ]),
    freed: ({ digests, before, from }) => {
      const of = {
        digests: JSON.stringify(digests),
        before,
        at: from?.at ?? '',
        ord: from?.ord ?? 0,
        undone: from === null ? 1 : 0,
      };
      return read((sql) => sql.all<{ sha256: string }>(PRUNE.FREED(DIGEST_LIST), of).map(({ sha256 }) => sha256));
    },
    blobBytes: async (digests, before) =>
      digests.map((digest) => files.unusedBytes(digest, Date.parse(before))).filter((bytes) => bytes !== null),
    databaseBytes: (shares, going) => databaseBytes({ ...deps, due }, shares, going),
    size: () => read(sizeOf),
    removeSlice: (slice) => programs.write('run.remove', (at) => removeSlice(WORDS, slice, at())),
    removeBlobs: (digests, before) => removeBlobs(deps, files, { digests, before }),
    removeAccess: async (before) => {
      if ((await read((sql) => sql.get(PRUNE.ANY_ACCESS, { before }))) === undefined) return 0;
      return (await programs.write('run.remove', (at) => removeLines(WORDS, before, at()))).rows;
    },
    idleKnowledge: knowledge.share,
    removeIdleKnowledge: knowledge.remove,
    usedBytes: () => read(usedBytes),
    reclaim: (signal) => reclaim(deps, signal),
    pruned: async (jobId) => {
      const row = await read((sql) => sql.get<PrunedRecord>(PRUNE.PRUNED, { jobId }));
      return row === undefined ? null : decodePruned(row);
    },
  };
}
