import { KitError } from '../../domain/errors.js';
import { BLOB_PAGE, MOVE_PAGE } from '../postgres/sql/move.js';
import { createTableDigest, type TableDigest } from './row-digest.js';
import type { MoveSource } from './source.js';
import { blobEntries } from './source-blobs.js';
import { BLOBS, type Column, type MovedTableSpec, type Row, SLICE_ROWS } from './tables.js';
import type { MoveTarget } from './target.js';

const BLOB_COLUMNS = [{ name: 'sha256' }, { name: 'bytes' }];

export async function sourceDigest(
  source: MoveSource,
  spec: MovedTableSpec,
  columns: readonly Column[],
): Promise<TableDigest> {
  const digest = createTableDigest(columns);
  for (
    let page = source.page(spec, columns, null);
    page.length > 0;
    page = source.page(spec, columns, page.at(-1) ?? null)
  )
    page.forEach(digest.add);
  return digest.done();
}

export async function targetDigest(
  { sql }: MoveTarget,
  spec: MovedTableSpec,
  columns: readonly Column[],
): Promise<TableDigest> {
  const digest = createTableDigest(columns);
  const pageAfter = (after: Row | null) => {
    const keys = Object.fromEntries(spec.key.map((name) => [name, after?.[name] ?? null]));
    return sql.all<Row>(MOVE_PAGE(spec, columns, after !== null), {
      ...(after === null ? {} : keys),
      limit: SLICE_ROWS,
    });
  };
  for (let page = await pageAfter(null); page.length > 0; page = await pageAfter(page.at(-1) ?? null))
    page.forEach(digest.add);
  return digest.done();
}

export async function sourceBlobs(source: MoveSource): Promise<TableDigest> {
  const digest = createTableDigest(BLOB_COLUMNS);
  for await (const { sha256, bytes } of blobEntries(source.blobs)) digest.add({ sha256, bytes });
  return digest.done();
}

/** Throws KIT_MIGRATE_MISMATCH for bytes that are not what their name says. */
export async function targetBlobs({ sql, location }: MoveTarget): Promise<TableDigest> {
  interface Found {
    readonly sha256: string;
    readonly bytes: number;
    readonly whole: boolean;
  }
  const digest = createTableDigest(BLOB_COLUMNS);
  const pageAfter = (sha256: string | null) =>
    sql.all<Found>(BLOB_PAGE(sha256 !== null), { ...(sha256 === null ? {} : { sha256 }), limit: SLICE_ROWS });
  for (let page = await pageAfter(null); page.length > 0; page = await pageAfter(page.at(-1)?.sha256 ?? null)) {
    for (const { sha256, bytes, whole } of page) {
      if (!whole)
        throw new KitError('KIT_MIGRATE_MISMATCH', `${BLOBS} in ${location}: ${sha256} has other bytes`, {
          data: { table: BLOBS, sha256 },
        });
      digest.add({ sha256, bytes });
    }
  }
  return digest.done();
}

/** Throws KIT_MIGRATE_MISMATCH naming the table. */
export function requireSame(table: string, source: TableDigest, target: TableDigest): void {
  if (source.rows === target.rows && source.digest === target.digest) return;
  const what =
    source.rows === target.rows
      ? `${source.rows} rows on both sides, with different content`
      : `${source.rows} rows in the source, ${target.rows} in the target`;
  throw new KitError('KIT_MIGRATE_MISMATCH', `${table} differs after the copy: ${what}`, {
    data: { table, source: { ...source }, target: { ...target } },
  });
}
