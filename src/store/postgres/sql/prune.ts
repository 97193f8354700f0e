import { type PruneTable, pruneStatements } from '../../sql/prune.js';
import { NAMED } from './retention.js';

const among = (column: string, list: string): string => `${column} = ANY(CAST(${list} AS TEXT[]))`;

export const PRUNE = pruneStatements({
  among,
  ofJob: (table) => `${table}.job_id = jobs.id`,
  ofIds: (table) => among(`${table}.job_id`, '@ids'),
  byEnd: '',
  rowsOf: (table) => table,
  rowKey: 'ctid',
  named: NAMED,
});

/**
 * What a row takes as it is stored, without its header; what lies out of line counts as it is read.
 */
export const BYTES_OF = (table: string): string => `pg_column_size(${table}.*)`;

export const REMOVE = (table: PruneTable | 'serve_access', keys: string): string => `
WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${keys})) RETURNING ${BYTES_OF(table)} AS bytes)
SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM gone`;

export const ACCESS_SHARE = `SELECT count(*) AS rows, coalesce(sum(${BYTES_OF('serve_access')}), 0) AS bytes FROM serve_access WHERE at < @before`;

/** Tables and indexes on disk, without the blobs. */
export const DISK_BYTES = `
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind = 'r' AND c.relname <> 'blobs'`;

export const BLOB_BYTES =
  'SELECT octet_length(bytes) AS bytes FROM blobs WHERE sha256 = ANY(CAST(@digests AS TEXT[])) AND put_at <= @before';
