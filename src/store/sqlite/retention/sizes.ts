import type { Shares, TableShare } from '../../retention/dialect.js';
import { PRUNE_TABLES } from '../../sql/prune.js';
import type { SqliteDeps } from '../deps.js';
import { ACCESS_SHARE, COLUMNS_OF, PAGES, PRUNE, TREES_OF, WHOLE } from '../sql/prune.js';
import type { SqlParams, SqlRunner } from '../sql-runner.js';
import { freedLeaves } from './forecast.js';
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

/** Bytes of the values of a row: what its part of a table's pages is told by. */
function bytesOf(sql: SqlRunner, table: string): string {
  const columns = sql.all<{ name: string }>(COLUMNS_OF, { table });
  return columns.map(({ name }) => `coalesce(octet_length(${table}.${name}), 0) + 1`).join(' + ');
}

/** Of the runs of a list, or of the lines of the access log before an instant. */
export function sharesOf(sql: SqlRunner, of: { readonly ids: string } | { readonly before: string }): Shares {
  const share = (text: string, params: SqlParams): TableShare =>
    sql.get<TableShare>(text, params) ?? { rows: 0, bytes: 0 };
  if ('before' in of) return { serve_access: share(ACCESS_SHARE(bytesOf(sql, 'serve_access')), of) };
  return Object.fromEntries(PRUNE_TABLES.map((table) => [table, share(PRUNE.SHARE(table, bytesOf(sql, table)), of)]));
}

export const usedBytes = (sql: SqlRunner): number =>
  (Number(sql.pragma('page_count')) - Number(sql.pragma('freelist_count'))) * Number(sql.pragma('page_size'));

interface PageRow {
  readonly kind: 'leaf' | 'internal' | 'overflow';
  readonly cells: number;
  readonly bytes: number;
}

interface Going {
  readonly runs: number;
  readonly before: string;
}

/**
 * Page by page: which rows of each table go, and which of its pages are emptied or merged by that.
 * Overflow pages go with their bytes.
 */
export async function databaseBytes(deps: SqliteDeps, shares: Shares, going: Going) {
  const pageBytes = await deps.read((sql) => Number(sql.pragma('page_size')));
  const runs = await goingRuns(deps, going.before);
  let freed = -going.runs * KEPT_BYTES;
  for (const [table, share] of Object.entries(shares)) {
    if (share.rows === 0) continue;
    const whole = (await deps.read((sql) => sql.get<TableShare>(WHOLE(table, bytesOf(sql, table)), {}))) ?? {
      rows: 0,
      bytes: 0,
    };
    const goes = await goingRows(deps, { table, rows: whole.rows, runs, before: going.before });
    for (const { name: tree } of await deps.read((sql) => sql.all<{ name: string }>(TREES_OF, { table }))) {
      const pages = await deps.read((sql) => sql.all<PageRow>(PAGES, { tree }));
      const leaves = pages.filter(({ kind }) => kind === 'leaf');
      const pagesOf = (kind: PageRow['kind']): number => pages.filter((page) => page.kind === kind).length;
      const freedNow = freedLeaves({ leaves, hasEntriesBetween: tree !== table, goes, pageBytes });
      const inner = (pagesOf('internal') * freedNow) / Math.max(1, leaves.length);
      const freedPages = freedNow + inner + (pagesOf('overflow') * share.bytes) / Math.max(1, whole.bytes);
      freed += freedPages * pageBytes;
    }
  }
  const now = await deps.read(usedBytes);
  return { freed: Math.round(freed), now, after: Math.max(0, Math.round(now - freed)) };
}

/**
 * A store of an earlier version keeps its free pages for later rows: only a rewrite of the whole
 * file, which holds up every writer, would change that.
 */
export async function reclaim(deps: SqliteDeps): Promise<void> {
  for (let left = await deps.read(freePages); left > 0; ) {
    await deps.queue.run([], (sql) => sql.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`));
    const now = await deps.read(freePages);
    if (now >= left) return;
    left = now;
  }
}

const freePages = (sql: SqlRunner): number =>
  Number(sql.pragma('auto_vacuum')) === INCREMENTAL ? Number(sql.pragma('freelist_count')) : 0;
