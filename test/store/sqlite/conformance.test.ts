import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { openSqliteWorld } from '../../support/store-world.js';
import { storeConformance } from '../conformance/index.js';

/** Every statement that the suite had compiled. */
const statements = new Set<string>();
const { prepare } = Database.prototype;
Database.prototype.prepare = function noted(this: Database.Database, sql: string) {
  statements.add(sql);
  return prepare.call(this, sql);
} as typeof prepare;
afterAll(() => {
  Database.prototype.prepare = prepare;
});

storeConformance('SQLite', () => openSqliteWorld());

/**
 * What may be walked through: a ring of 200 rows, what a query itself has bounded, the schema, and
 * the texts of knowledge bases, which grow with what people write and not with what runs.
 */
const BOUNDED = /^SCAN (prompts|counted|waiting|sqlite_master|sqlite_schema|knowledge_indexes|d|page_\d)$/;
/** From an end of the table to the first so many rows. */
const IN_ORDER = /FROM \w+\s+ORDER BY ord( DESC)? LIMIT /;
/** Once for all indexes that nobody has used for weeks, while old things are being removed. */
const SELDOM =
  /^SELECT DISTINCT substr\(created_at, 1, 13\) AS hour FROM jobs WHERE created_at >= \? AND created_at <= \?$/;
/** In a file of its own, with a row for each login. */
const ELSEWHERE = /\bsealed_/;

describe('statements on SQLite', () => {
  it('that the suite above has carried out walk through no table that grows with the runs', async () => {
    const world = await openSqliteWorld();
    const db = new Database(world.path);
    try {
      addFunctions(db, 'write');
      const asked = [...statements].filter((sql) => /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE)\b/.test(sql));
      expect(asked.length).toBeGreaterThan(200);
      const walks = asked
        .filter((sql) => !IN_ORDER.test(sql) && !ELSEWHERE.test(sql) && !SELDOM.test(sql))
        .flatMap((sql) => walksOf(db, sql).map((walk) => `${walk}: ${sql}`));
      expect(walks).toEqual([]);
    } finally {
      db.close();
      await world.dispose();
    }
  });
});

/** Steps of its plan that read a whole table, or make an index of one for the time of the query. */
function walksOf(db: Database.Database, sql: string): readonly string[] {
  const values = Array.from(sql.matchAll(/\?/g), () => 1);
  const plan = prepare.call(db, `EXPLAIN QUERY PLAN ${sql}`) as Database.Statement<
    number[],
    { readonly detail: string }
  >;
  return plan
    .all(...values)
    .map(({ detail }) => detail)
    .filter((step) => /^SCAN \w+$|AUTOMATIC/.test(step) && !BOUNDED.test(step));
}
