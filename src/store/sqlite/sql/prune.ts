import { pruneStatements } from '../../sql/prune.js';

const among = (column: string, list: string): string => `${column} IN (SELECT value FROM json_each(${list}))`;

/** Journal and log are indexed by `jobs.ord`. */
export const PRUNE = pruneStatements({
  among,
  ofJob: (table) => `${table}.run = jobs.ord`,
  ofIds: (table) => `${table}.run IN (SELECT ord FROM jobs WHERE ${among('id', '@ids')})`,
  byEnd: ' INDEXED BY jobs_over',
  rowKey: 'rowid',
});

export const DIGEST_LIST = 'json_each(@digests) AS d';

export const remove = (table: string, keys: string): string => `DELETE FROM ${table} WHERE rowid IN (${keys})`;

export const COLUMNS_OF = 'SELECT name FROM pragma_table_info(@table)';
/** Of a whole table, for its share. */
export const WHOLE = (table: string, bytes: string): string => `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM ${table}`;
/** Pages of every table and index; reads the whole file. */
export const PAGES = `
SELECT dbstat.name, sqlite_schema.tbl_name AS owner, dbstat.pgsize AS bytes FROM dbstat JOIN sqlite_schema ON sqlite_schema.name = dbstat.name
WHERE dbstat.aggregate = 1`;
export const ACCESS_SHARE = (bytes: string): string =>
  `SELECT count(*) AS rows, coalesce(sum(${bytes}), 0) AS bytes FROM serve_access WHERE at < @before`;
