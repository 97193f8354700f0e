/**
 * Statements that read a whole store in the order of its keys; names of tables and columns are
 * those of the schema.
 */

export const MOVE_COLUMNS = 'SELECT name FROM pragma_table_info(@table)';

export const MOVE_COUNT = (table: string, columns: readonly string[]): string => `
SELECT count(*) AS rows, coalesce(sum(${columns.map((name) => `coalesce(octet_length(${quoted(name)}), 0)`).join(' + ')}), 0) AS bytes FROM ${table}`;

export function MOVE_PAGE(
  spec: { readonly table: string; readonly key: readonly string[] },
  columns: readonly string[],
  isAfter: boolean,
): string {
  const key = spec.key.map(quoted).join(', ');
  const after = isAfter ? ` WHERE (${key}) > (${spec.key.map((name) => `@${name}`).join(', ')})` : '';
  return `SELECT ${columns.map(quoted).join(', ')} FROM ${spec.table}${after} ORDER BY ${key} LIMIT @limit`;
}

const quoted = (name: string): string => `"${name}"`;
