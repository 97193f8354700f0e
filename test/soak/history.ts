import type pg from 'pg';

/**
 * Every committed change of the rows that a soak judges, in commit order, read from the server's
 * own log by a slot for logical decoding: it sees what no snapshot at the end shows, and it
 * outlives the server's deaths.
 */
export interface Change {
  readonly table: 'jobs' | 'steps' | 'events';
  readonly kind: 'INSERT' | 'UPDATE' | 'DELETE';
  readonly columns: Readonly<Record<string, string | null>>;
}

const SLOT = 'soak';
const BATCH = 20_000;

export async function openHistory(client: pg.Client): Promise<void> {
  await client.query('SELECT pg_create_logical_replication_slot($1, $2)', [SLOT, 'test_decoding']);
}

/** All of it so far; the slot is dropped, so that the server can let its log go. */
export async function readHistory(client: pg.Client): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (;;) {
    const { rows } = await client.query<{ data: string }>(
      "SELECT data FROM pg_logical_slot_get_changes($1, NULL, $2, 'include-xids', '0', 'skip-empty-xacts', '1')",
      [SLOT, BATCH],
    );
    if (rows.length === 0) break;
    for (const { data } of rows) {
      const change = parseChange(data);
      if (change !== null) changes.push(change);
    }
  }
  await client.query('SELECT pg_drop_replication_slot($1)', [SLOT]);
  return changes;
}

const HEAD = /^table kit\.(jobs|steps|events): (INSERT|UPDATE|DELETE): /;
const COLUMN = /"?([a-z_0-9]+)"?\[[^\]]*(?:\[\])?\]:(null|unchanged-toast-datum|'(?:[^']+|'')*'|[^ ]+)/gy;

/**
 * One line of `test_decoding`; null for what is judged nowhere. Columns whose value did not change
 * and lies apart are left out.
 */
export function parseChange(line: string): Change | null {
  const head = HEAD.exec(line);
  if (head === null) return null;
  const [text, table, kind] = head;
  const columns: Record<string, string | null> = {};
  let at = text.length;
  COLUMN.lastIndex = at;
  for (let match = COLUMN.exec(line); match !== null; match = COLUMN.exec(line)) {
    const [, name = '', value = ''] = match;
    if (value !== 'unchanged-toast-datum') columns[name] = textOf(value);
    // Sticky: the next column begins where this one ended, and nothing between them is passed over.
    at = COLUMN.lastIndex + 1;
    COLUMN.lastIndex = at;
  }
  if (at !== line.length + 1) throw new Error(`a line of the decoded log is not understood: ${line.slice(0, 200)}`);
  // The pattern names these alternatives alone.
  return { table: table as Change['table'], kind: kind as Change['kind'], columns };
}

function textOf(text: string): string | null {
  if (text === 'null') return null;
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}
