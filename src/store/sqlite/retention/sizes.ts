import type { PageLook, RetentionDialect, Shares, StoreSize, TableShare } from '../../retention/dialect.js';
import { OLDEST, PRUNE_TABLES } from '../../sql/prune.js';
import type { SqliteDeps } from '../deps.js';
import { ACCESS_SHARE, ENTRIES, FIRST_PAGES, PAGES, PRUNE, TREES_OF, treeOf } from '../sql/prune.js';
import type { SqlRunner } from '../sql-runner.js';
import { freedPages, type TreePage } from './forecast.js';
import { goingRows, goingRuns } from './going.js';

/** Row, key and place of what is kept of a run, as measured with dbstat. */
const KEPT_BYTES = 280;
/** auto_vacuum = INCREMENTAL */
const INCREMENTAL = 2;
/**
 * Pages that one write gives back: with moving them a slice stays below 50 ms
 * (docs/design/journal.md#sqlite).
 */
const SLICE_PAGES = 256;

const NOTHING: TableShare = { rows: 0, bytes: 0 };

/** Rows of the runs of a list. */
export const sharesOf = (sql: SqlRunner, ids: string): Shares =>
  Object.fromEntries(
    PRUNE_TABLES.map((table) => [table, sql.get<TableShare>(PRUNE.SHARE(table, '0'), { ids }) ?? NOTHING]),
  );

/** Lines of the access log before an instant. */
export const accessShareOf = (sql: SqlRunner, before: string): TableShare =>
  sql.get<TableShare>(ACCESS_SHARE, { before }) ?? NOTHING;

export const usedBytes = (sql: SqlRunner): number =>
  (Number(sql.pragma('page_count')) - Number(sql.pragma('freelist_count'))) * Number(sql.pragma('page_size'));

export const sizeOf = (sql: SqlRunner): StoreSize => ({
  bytes: Number(sql.pragma('page_count')) * Number(sql.pragma('page_size')),
  oldest: sql.get<{ oldest: string }>(OLDEST, {})?.oldest ?? null,
});

type Going = Parameters<RetentionDialect['databaseBytes']>[1];
type Deps = Pick<SqliteDeps, 'read' | 'pacing'> & Pick<RetentionDialect, 'due'>;

/** Documents of knowledge bases go by their length: who looks for them page by page is not here. */
export async function databaseBytes(deps: Deps, shares: Shares, going: Going) {
  const pageBytes = await deps.read((sql) => Number(sql.pragma('page_size')));
  const tables = Object.entries(shares).flatMap(([name, { rows }]) =>
    rows > 0 && !name.startsWith('knowledge_') ? [{ name, rows }] : [],
  );
  const { look, before } = going;
  const pages =
    look.kind === 'every'
      ? await exactPages(deps, { tables, before, pageBytes })
      : await roughPages(deps, { tables, look });
  const documents = shares.knowledge_documents?.bytes ?? 0;
  const freed = pages * pageBytes + documents - going.runs * KEPT_BYTES;
  const now = await deps.read(usedBytes);
  return { freed: Math.round(freed), now, after: Math.max(0, Math.round(now - freed)) };
}

interface GoingTable {
  readonly name: string;
  readonly rows: number;
}

interface Tree {
  readonly name: string;
  /** It holds some of the rows alone. */
  readonly partial: number;
}

/** Page by page: which rows of each table go, and which pages are emptied or merged by that. */
async function exactPages(
  deps: Deps,
  of: { readonly tables: readonly GoingTable[]; readonly before: string; readonly pageBytes: number },
): Promise<number> {
  const { tables, before, pageBytes } = of;
  const runs = await goingRuns(deps, before);
  let freed = 0;
  for (const { name: table } of tables) {
    const rows = await goingRows(deps, { table, runs, before });
    for (const { name: tree } of await deps.read((sql) => sql.all<Tree>(TREES_OF, { table: treeOf(table) }))) {
      await deps.pacing.nextTurn();
      freed += await deps.read((sql) => {
        const isIndex = tree !== treeOf(table);
        const entries = isIndex ? (sql.get<{ entries: number }>(ENTRIES, { tree })?.entries ?? 0) : rows.count;
        const pages = sql.iterate<TreePage>(PAGES, { tree });
        return freedPages({ pages, hasEntriesBetween: isIndex, entries, rows, pageBytes });
      });
    }
  }
  return freed;
}

/** By the first pages of each table and index: how many pages a row takes there. */
async function roughPages(
  { read, pacing }: Pick<Deps, 'read' | 'pacing'>,
  of: { readonly tables: readonly GoingTable[]; readonly look: Extract<PageLook, { readonly kind: 'first' }> },
): Promise<number> {
  const { tables, look } = of;
  let freed = 0;
  for (const { name: table, rows } of tables) {
    freed += await read((sql) =>
      sql
        .all<Tree>(TREES_OF, { table: treeOf(table) })
        // How many of the rows that go it holds is not known, and such indexes are small.
        .filter(({ partial }) => partial === 0)
        .map(({ name: tree }) => {
          const seen = sql.get<{ pages: number; entries: number }>(FIRST_PAGES, {
            tree,
            limit: look.pages,
            isIndex: tree === treeOf(table) ? 0 : 1,
          });
          return seen === undefined || seen.entries === 0 ? 0 : (rows * seen.pages) / seen.entries;
        })
        .reduce((sum, pages) => sum + pages, 0),
    );
    await pacing.nextTurn();
  }
  return freed;
}

/**
 * A store of an earlier version keeps its free pages for later rows: only a rewrite of the whole
 * file, which holds up every writer, would change that.
 */
export async function reclaim(deps: SqliteDeps, signal: AbortSignal | undefined): Promise<void> {
  for (let left = await deps.read(freePages); left > 0; ) {
    signal?.throwIfAborted();
    await deps.queue.run([], (sql) => sql.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`));
    const now = await deps.read(freePages);
    if (now >= left) return;
    left = now;
  }
}

const freePages = (sql: SqlRunner): number =>
  Number(sql.pragma('auto_vacuum')) === INCREMENTAL ? Number(sql.pragma('freelist_count')) : 0;
