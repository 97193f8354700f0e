import { type PruneTable, pruneStatements } from '../../sql/prune.js';
import { NAMED } from './retention.js';

const among = (column: string, list: string): string => `${column} IN (SELECT value FROM json_each(${list}))`;

/** Journal and log are indexed by `jobs.ord`. */
export const PRUNE = pruneStatements({
  among,
  ofJob: (table) => `${table}.run = jobs.ord`,
  ofIds: (table) => `${table}.run IN (SELECT ord FROM jobs WHERE ${among('id', '@ids')})`,
  byEnd: ' INDEXED BY jobs_over',
  rowKey: 'rowid',
  named: NAMED,
});

export const DIGEST_LIST = 'json_each(@digests) AS d';

export const remove = (table: string, keys: string): string => `DELETE FROM ${table} WHERE rowid IN (${keys})`;

export const COLUMNS_OF = 'SELECT name FROM pragma_table_info(@table)';
/** Of a whole table, for its share. */
export const WHOLE = (table: string, bytes: string): string =>
  `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${table}`;
/** A table and its indexes. */
export const TREES_OF = 'SELECT name FROM sqlite_schema WHERE tbl_name = @table AND rootpage > 0 ORDER BY name';
/** Every page of a table or index, in the order of its keys. */
export const PAGES = `
SELECT pagetype AS kind, ncell AS cells, pgsize - unused AS bytes FROM dbstat WHERE name = @tree ORDER BY path`;

/** Number of the run that a row belongs to; null = of none that is there. */
function runOfRow(table: PruneTable): string {
  if (table === 'jobs') return 'ord';
  if (table === 'events' || table === 'steps') return 'run';
  return `(SELECT ord FROM jobs WHERE jobs.id = ${table}.${table === 'artifacts' ? 'run_id' : 'job_id'})`;
}
/** Rows of a table in its order, with the number of their run. */
export const ROWS_WITH_RUN = (table: PruneTable): string =>
  `SELECT rowid AS id, ${runOfRow(table)} AS run FROM ${table} WHERE rowid > @after ORDER BY rowid LIMIT @limit`;
/** Lines of the access log in their order, with whether they go. */
export const LINES =
  'SELECT rowid AS id, at < @before AS goes FROM serve_access WHERE rowid > @after ORDER BY rowid LIMIT @limit';
/** Numbers of the runs that an interrupted removal has begun with. */
export const UNDONE_ORDS = 'SELECT ord FROM jobs WHERE id IN (SELECT job_id FROM pruned_runs WHERE is_done = 0)';
export const ACCESS_SHARE = (bytes: string): string =>
  `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM serve_access WHERE at < @before`;
