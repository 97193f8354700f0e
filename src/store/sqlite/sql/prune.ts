import { type PruneTable, pruneStatements } from '../../sql/prune.js';
import { NAMED } from './retention.js';

const among = (column: string, list: string): string => `${column} IN (SELECT value FROM json_each(${list}))`;

/** `events` and `steps` are views (migration 20). */
export const treeOf = (table: string): string =>
  table === 'events' ? 'event_rows' : table === 'steps' ? 'step_rows' : table;

/** Journal and log are indexed by `jobs.ord`. */
export const PRUNE = pruneStatements({
  among,
  ofJob: (table) => `${table}.run = jobs.ord`,
  ofIds: (table) => `${table}.run IN (SELECT ord FROM jobs WHERE ${among('id', '@ids')})`,
  byEnd: ' INDEXED BY jobs_over',
  rowsOf: (table) => `${treeOf(table)} AS ${table}`,
  rowKey: 'rowid',
  named: NAMED,
});

export const remove = (table: string, keys: string): string => `DELETE FROM ${treeOf(table)} WHERE rowid IN (${keys})`;

/**
 * A table and its indexes, that of types too; `partial` 1: an index of some of the rows alone.
 */
export const TREES_OF = `
SELECT name, coalesce((SELECT i.partial FROM pragma_index_list(@table) AS i WHERE i.name = sqlite_schema.name), 0) AS partial
FROM sqlite_schema WHERE (tbl_name = @table OR (@table = 'event_rows' AND name = 'event_types')) AND rootpage > 0 ORDER BY name`;
/**
 * Every page of a table or index, in the order of its keys, for dbstat goes from the root down and
 * from left to right. ORDER BY would put all of them aside first.
 */
export const PAGES =
  'SELECT pagetype AS kind, ncell AS cells, pgsize - unused AS bytes, path FROM dbstat WHERE name = @tree';
/** Entries of an index. */
export const ENTRIES =
  "SELECT coalesce(sum(ncell), 0) AS entries FROM dbstat WHERE name = @tree AND pagetype <> 'overflow'";
/** The first pages of a table or index: how many there are, and how many entries they hold. */
export const FIRST_PAGES = `
SELECT count(*) AS pages, coalesce(sum(CASE WHEN kind = 'leaf' OR kind = 'internal' AND @isIndex = 1 THEN cells END), 0) AS entries
FROM (SELECT pagetype AS kind, ncell AS cells FROM dbstat WHERE name = @tree LIMIT @limit)`;

/** Number of the run that a row belongs to; null = of none that is there. */
function runOfRow(table: PruneTable): string {
  if (table === 'jobs') return 'ord';
  if (table === 'events' || table === 'steps') return 'run';
  return `(SELECT ord FROM jobs WHERE jobs.id = ${table}.${table === 'artifacts' ? 'run_id' : 'job_id'})`;
}
/** Rows of a table in its order, with the number of their run. */
export const ROWS_WITH_RUN = (table: PruneTable): string =>
  `SELECT rowid AS id, ${runOfRow(table)} AS run FROM ${treeOf(table)} AS ${table} WHERE rowid > @after ORDER BY rowid LIMIT @limit`;
/** Lines of the access log in their order, with whether they go. */
export const LINES =
  'SELECT rowid AS id, at < @before AS goes FROM serve_access WHERE rowid > @after ORDER BY rowid LIMIT @limit';
/** Numbers of the runs that an interrupted removal has begun with. */
export const UNDONE_ORDS = 'SELECT ord FROM jobs WHERE id IN (SELECT job_id FROM pruned_runs WHERE is_done = 0)';
export const ACCESS_SHARE = 'SELECT count(*) AS rows, 0 AS bytes FROM serve_access WHERE at < @before';
