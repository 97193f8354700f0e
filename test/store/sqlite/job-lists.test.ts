import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { listJobs } from '../../../src/store/sql/jobs.js';
import { LIST_CONDITIONS, OF_STATUS } from '../../../src/store/sqlite/sql/jobs.js';
import { openSqliteWorld } from '../../support/store-world.js';

const { topology, source, beforeOrd } = LIST_CONDITIONS;

/** A store of which ANALYZE says that each status has very many jobs. */
async function planOf(sql: string): Promise<readonly string[]> {
  const world = await openSqliteWorld();
  const db = new Database(world.path);
  try {
    db.exec(`ANALYZE;
      INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('jobs', 'jobs_by_status', '200000 66000 1'),
        ('jobs', 'jobs_by_topology', '200000 66000 1'), ('jobs', 'jobs_by_topology_status', '200000 66000 60000 1'),
        ('jobs', 'jobs_by_source', '200000 66000 1');
      ANALYZE sqlite_schema;`);
    const names = [...sql.matchAll(/@(\w+)/g)].map((match) => match[1] ?? '');
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(Object.fromEntries(names.map((name) => [name, 1])));
    return (plan as { readonly detail: string }[]).map(({ detail }) => detail);
  } finally {
    db.close();
    await world.dispose();
  }
}

it.each([
  ['a topology', listJobs(OF_STATUS, [topology], 0), ['jobs_by_topology']],
  ['a topology in one status', listJobs(OF_STATUS, [topology], 1), ['jobs_by_topology_status']],
  ['one of several statuses', listJobs(OF_STATUS, [], 2), ['COVERING INDEX jobs_by_status', 'INTEGER PRIMARY KEY']],
  [
    'a topology in one of several statuses',
    listJobs(OF_STATUS, [topology, beforeOrd], 3),
    ['COVERING INDEX jobs_by_topology_status', 'INTEGER PRIMARY KEY'],
  ],
  ['a source', listJobs(OF_STATUS, [source], 0), ['jobs_by_source']],
])('jobs of %s are listed along an index, with nothing to sort', async (_, sql, indexes) => {
  const details = await planOf(sql);

  for (const index of indexes) expect(details.join('\n')).toContain(index);
  // A page that is made within the statement is bounded by it.
  expect(details.filter((detail) => /^SCAN \w+$/.test(detail) && !/^SCAN page_\d$/.test(detail))).toEqual([]);
  expect(details).not.toContain('USE TEMP B-TREE FOR ORDER BY');
});
