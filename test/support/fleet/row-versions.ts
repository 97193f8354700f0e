import { withClient } from '../components/postgres.js';

/** Tables that hold rows of a run, and the column that names it. */
const TABLES = {
  jobs: 'id',
  steps: 'job_id',
  events: 'job_id',
  gates: 'job_id',
  review_items: 'job_id',
  decisions: 'job_id',
  timers: 'job_id',
} as const;

/**
 * The version of every row of a run, as the server keeps it: any write to a row, even of what it
 * holds already, gives it another one. `<table> <place> <transaction>`, in order.
 */
export async function rowVersions(url: string, jobId: string): Promise<readonly string[]> {
  const selects = Object.entries(TABLES).map(
    ([table, column]) => `SELECT '${table} ' || ctid || ' ' || xmin AS version FROM kit.${table} WHERE ${column} = $1`,
  );
  const { rows } = await withClient(url, (client) =>
    client.query<{ version: string }>(selects.join(' UNION ALL '), [jobId]),
  );
  return rows.map(({ version }) => version).toSorted();
}
