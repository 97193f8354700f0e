import { all, get, type Programs } from '../program.js';
import type { DueRun, RetentionDialect, TableShare } from './dialect.js';
import { decodePruned, type PrunedRecord } from './pruned-row.js';
import { type RemoveWords, removeLines } from './remove.js';

type Looks = Pick<RetentionDialect, 'now' | 'due' | 'ended' | 'undone' | 'digests' | 'freed' | 'pruned'>;

/** A row's attachments as they are stored. */
interface AttachmentsRow {
  readonly attachments: string;
}

/** Digests of the files that runs were given. */
const attachmentDigests = (rows: readonly AttachmentsRow[]): readonly string[] =>
  // Written by `newRowParams` from `AttachmentRef`s.
  rows.flatMap(({ attachments }) =>
    (JSON.parse(attachments) as readonly { readonly sha256: string }[]).map(({ sha256 }) => sha256),
  );

/** What is looked for by the same statements in every database. */
export const retentionLooks = ({ now, read }: Programs, { PRUNE, DIGEST_LIST }: RemoveWords): Looks => ({
  now,
  due: ({ before, after, limit }) =>
    read(() => all<DueRun>(PRUNE.DUE, { before, at: after.at, ord: after.ord, limit })),
  ended: async (before, limit) => (await read(() => get<{ runs: number }>(PRUNE.ENDED, { before, limit })))?.runs ?? 0,
  undone: async (limit) => (await read(() => all<{ id: string }>(PRUNE.UNDONE, { limit }))).map(({ id }) => id),
  digests: (ids) =>
    read(function* () {
      const rows = yield* all<{ sha256: string }>(PRUNE.DIGESTS, { ids });
      const files = yield* all<AttachmentsRow>(PRUNE.ATTACHMENTS, { ids });
      return [...rows.map(({ sha256 }) => sha256), ...attachmentDigests(files)];
    }),
  freed: async ({ digests, before, from }) => {
    const of = { digests, before, at: from?.at ?? '', ord: from?.ord ?? 0, undone: from === null ? 1 : 0 };
    return (await read(() => all<{ sha256: string }>(PRUNE.FREED(DIGEST_LIST), of))).map(({ sha256 }) => sha256);
  },
  pruned: async (jobId) => {
    const row = await read(() => get<PrunedRecord>(PRUNE.PRUNED, { jobId }));
    return row === undefined ? null : decodePruned(row);
  },
});

/** A slice of the lines before an instant; where there is none, nothing is written. */
export async function removeAccess({ read, write }: Programs, words: RemoveWords, before: string): Promise<TableShare> {
  if ((await read(() => get(words.PRUNE.ANY_ACCESS, { before }))) === undefined) return { rows: 0, bytes: 0 };
  return write('run.remove', (at) => removeLines(words, before, at()));
}
