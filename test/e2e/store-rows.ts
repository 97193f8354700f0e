import Database from 'better-sqlite3';

/**
 * Copies the row of a run under an id that differs in the last digit alone; chance would need
 * thousands of runs for that.
 */
export function copyJob(file: string, id: string): string {
  const sibling = id.slice(0, 11) + (id.endsWith('0') ? '1' : '0');
  const database = new Database(file);
  try {
    const columns = (database.pragma('table_info(jobs)') as { name: string }[]).map(({ name }) => name);
    const values = columns.map((name) =>
      name === 'id' ? '?' : name === 'ord' ? '(SELECT max(ord) + 1 FROM jobs)' : name,
    );
    database
      .prepare(`INSERT INTO jobs (${columns.join(', ')}) SELECT ${values.join(', ')} FROM jobs WHERE id = ?`)
      .run(sibling, id);
  } finally {
    database.close();
  }
  return sibling;
}
