import { INSERT_BLOB, INSERT_ROWS } from '../postgres/sql/move.js';
import { BEGIN } from '../postgres/sql/session.js';
import type { SqlParams } from '../postgres/sql-runner.js';
import { SET_META } from '../sql/meta.js';
import { markKey } from '../store-meta.js';
import { bytesOfRow } from './row-digest.js';
import type { MoveSource } from './source.js';
import { type BlobEntry, blobBytes, blobEntries } from './source-blobs.js';
import { BLOBS, type Column, type MovedTableSpec, type Row, SLICE_BYTES, SLICE_ROWS } from './tables.js';
import type { Mark, MoveTarget } from './target.js';

export interface CopyParts {
  readonly source: MoveSource;
  readonly target: MoveTarget;
  readonly marks: ReadonlyMap<string, Mark>;
  /** Told after each commit, with the rows of one table that are there. */
  readonly onRows: (table: string, rows: number) => void;
}

const START: Mark = { after: null, rows: 0 };

/**
 * Rows of one table from its mark on, a slice and its mark in one commit. Answers how many were
 * copied.
 */
export async function copyTable(parts: CopyParts, spec: MovedTableSpec, columns: readonly Column[]): Promise<number> {
  const { source, marks, onRows } = parts;
  let mark = marks.get(spec.table) ?? START;
  const had = mark.rows;
  for (
    let page = source.page(spec, columns, mark.after);
    page.length > 0;
    page = source.page(spec, columns, mark.after)
  ) {
    for (const slice of slicesOf(page, bytesOfRow)) {
      const last = slice.at(-1) ?? {};
      const next: Mark = {
        after: Object.fromEntries(spec.key.map((name) => [name, last[name] ?? null])),
        rows: mark.rows + slice.length,
      };
      await writeSlice(parts, spec.table, next, () =>
        parts.target.sql.run(INSERT_ROWS(spec.table, columns), columnwise(columns, slice)),
      );
      mark = next;
      onRows(spec.table, mark.rows);
    }
  }
  return mark.rows - had;
}

export async function copyBlobs(parts: CopyParts): Promise<number> {
  const { source, target, onRows } = parts;
  let mark = parts.marks.get(BLOBS) ?? START;
  const had = mark.rows;
  const flush = async (slice: readonly BlobEntry[]): Promise<void> => {
    const last = slice.at(-1);
    if (last === undefined) return;
    const next: Mark = { after: { sha256: last.sha256 }, rows: mark.rows + slice.length };
    await writeSlice(parts, BLOBS, next, async () => {
      for (const { sha256, putAt } of slice)
        await target.sql.run(INSERT_BLOB, { sha256, bytes: await blobBytes(source.blobs, sha256), putAt });
    });
    mark = next;
    onRows(BLOBS, mark.rows);
  };
  const after = String(mark.after?.sha256 ?? '');
  let slice: BlobEntry[] = [];
  for await (const entry of blobEntries(source.blobs)) {
    if (entry.sha256 <= after) continue;
    slice.push(entry);
    if (slice.length < SLICE_ROWS && slice.reduce((sum, { bytes }) => sum + bytes, 0) < SLICE_BYTES) continue;
    await flush(slice);
    slice = [];
  }
  await flush(slice);
  return mark.rows - had;
}

async function writeSlice(
  { target }: CopyParts,
  table: string,
  mark: Mark,
  insert: () => Promise<unknown>,
): Promise<void> {
  const { sql } = target;
  await sql.exec(BEGIN);
  try {
    await insert();
    await sql.run(SET_META, { key: markKey(table), value: JSON.stringify(mark) });
    await sql.exec('COMMIT');
  } catch (error) {
    await sql.exec('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

const columnwise = (columns: readonly Column[], rows: readonly Row[]): SqlParams =>
  Object.fromEntries(columns.map(({ name }) => [name, rows.map((row) => row[name] ?? null)]));

export function* slicesOf<T>(items: readonly T[], bytesOf: (item: T) => number): Generator<readonly T[]> {
  let slice: T[] = [];
  let bytes = 0;
  for (const item of items) {
    if (slice.length === SLICE_ROWS || (slice.length > 0 && bytes + bytesOf(item) > SLICE_BYTES)) {
      yield slice;
      [slice, bytes] = [[], 0];
    }
    slice.push(item);
    bytes += bytesOf(item);
  }
  if (slice.length > 0) yield slice;
}
