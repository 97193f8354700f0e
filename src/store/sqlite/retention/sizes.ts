import type { Shares, TableShare } from '../../retention/dialect.js';
import { PRUNE_TABLES } from '../../sql/prune.js';
import type { SqliteDeps } from '../deps.js';
import { ACCESS_SHARE, COLUMNS_OF, GOING, PAGES, PRUNE, WHOLE } from '../sql/prune.js';
import type { SqlParams, SqlRunner } from '../sql-runner.js';
import { freedLeaves } from './forecast.js';

/** Row, key and place of what is kept of a run, as measured with dbstat. */
const KEPT_BYTES = 280;
/** auto_vacuum = INCREMENTAL */
const INCREMENTAL = 2;
/** Pages that one write gives back: with moving them a slice stays below 50 ms (journal.md 8.2). */
const SLICE_PAGES = 256;

/** Bytes of the values of a row: what its part of a table's pages is told by. */
function bytesOf(sql: SqlRunner, table: string): string {
  const columns = sql.all<{ name: string }>(COLUMNS_OF, { table });
  return columns.map(({ name }) => `coalesce(octet_length(${table}.${name}), 0) + 1`).join(' + ');
}

/** Of the runs of a list, or of the lines of the access log before an instant. */
export function sharesOf(sql: SqlRunner, of: { readonly ids: string } | { readonly before: string }): Shares {
  const share = (text: string, params: SqlParams): TableShare => sql.get<TableShare>(text, params) ?? { rows: 0, bytes: 0 };
  if ('before' in of) return { serve_access: share(ACCESS_SHARE(bytesOf(sql, 'serve_access')), of) };
  return Object.fromEntries(PRUNE_TABLES.map((table) => [table, share(PRUNE.SHARE(table, bytesOf(sql, table)), of)]));
}

export const usedBytes = (sql: SqlRunner): number =>
  (Number(sql.pragma('page_count')) - Number(sql.pragma('freelist_count'))) * Number(sql.pragma('page_size'));

interface PageRow {
  readonly name: string;
  readonly owner: string;
  readonly kind: 'leaf' | 'internal' | 'overflow';
  readonly cells: number;
  readonly bytes: number;
}

interface Going {
  readonly ids: readonly string[];
  readonly before: string;
}

/** Page by page: which rows of each table go, and which of its pages are emptied or merged by that. Overflow pages go with their bytes. */
export async function databaseBytes(deps: SqliteDeps, shares: Shares, going: Going) {
  const pages = await deps.read((sql) => sql.all<PageRow>(PAGES, {}));
  const pageBytes = await deps.read((sql) => Number(sql.pragma('page_size')));
  let freed = -going.ids.length * KEPT_BYTES;
  for (const [table, share] of Object.entries(shares)) {
    if (share.rows === 0) continue;
    const whole = await deps.read((sql) => sql.get<TableShare>(WHOLE(table, bytesOf(sql, table)), {}));
    const goes = await goingOf(deps, table, going);
    for (const tree of new Set(pages.flatMap(({ name, owner }) => (owner === table ? [name] : [])))) {
      const own = pages.filter(({ name }) => name === tree);
      const leaves = own.filter(({ kind }) => kind === 'leaf');
      const pagesOf = (kind: PageRow['kind']): number => own.filter((page) => page.kind === kind).length;
      const freedNow = freedLeaves({ leaves, hasEntriesBetween: tree !== table, goes, pageBytes });
      const inner = (pagesOf('internal') * freedNow) / Math.max(1, leaves.length);
      const freedPages = freedNow + inner + (pagesOf('overflow') * share.bytes) / Math.max(1, whole?.bytes ?? 1);
      freed += freedPages * pageBytes;
    }
  }
  const now = await deps.read(usedBytes);
  return { freed: Math.round(freed), now, after: Math.max(0, Math.round(now - freed)) };
}

/** Rows of one look. */
const GOING_ROWS = 20_000;

async function goingOf(deps: SqliteDeps, table: string, { ids, before }: Going): Promise<Uint8Array> {
  const text = GOING(table);
  const params = table === 'serve_access' ? { before } : { ids: JSON.stringify(ids) };
  const flags: number[] = [];
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await deps.read((sql) => sql.all<{ id: number; goes: number }>(text, { ...params, after, limit: GOING_ROWS }));
    for (const { goes } of rows) flags.push(goes);
    const last = rows.at(-1);
    if (last === undefined) return Uint8Array.from(flags);
    after = last.id;
    await deps.pacing.nextTurn();
  }
}

/** A store of an earlier version keeps its free pages for later rows: only a rewrite of the whole file, which holds up every writer, would change that. */
export async function reclaim(deps: SqliteDeps): Promise<void> {
  for (let left = await deps.read(freePages); left > 0; ) {
    await deps.queue.run([], (sql) => sql.exec(`PRAGMA incremental_vacuum(${SLICE_PAGES})`));
    const now = await deps.read(freePages);
    if (now >= left) return;
    left = now;
  }
}

const freePages = (sql: SqlRunner): number => (Number(sql.pragma('auto_vacuum')) === INCREMENTAL ? Number(sql.pragma('freelist_count')) : 0);
