import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { fillGates, meanMs } from '../../support/many-gates.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';

/** What a list and an inbox of 10,000 open gates may take on a machine of its own. */
const GOAL_MS = 100;
const workspace = '/nowhere';

let world: ReviewWorld;
beforeAll(async () => {
  world = await openReviewWorld();
  const db = new Database(world.sqlite.path);
  addFunctions(db, 'write');
  const numbers = (upTo: number): string => `(WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo}) SELECT i FROM n)`;
  db.transaction(() => {
    for (const sql of fillGates({ open: 10_000, decided: 10_000 }, numbers, (id) => `(SELECT ord FROM jobs WHERE id = ${id})`)) db.exec(sql);
  })();
  // None of them is due: a list that fires deadlines is another measurement.
  db.exec('DELETE FROM timers');
  db.close();
  await world.sqlite.reopen();
});
afterAll(() => world.dispose());

/** Statements that one call asks the review store for. */
function counted<T extends object>(store: T): { readonly store: T; readonly calls: () => number } {
  let calls = 0;
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        calls += 1;
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { store: proxy, calls: () => calls };
}

it('lists and opens the inbox of 10,000 open gates by reading a page of them', async () => {
  const { stores } = world.sqlite;
  const reviews = counted(stores.reviews);
  const other = await openReviewWorld({ openStores: async () => ({ ...stores, jobs: stores.jobs, reviews: reviews.store }) });
  const { app } = other;
  const list = () => app.list({ workspace, kind: null, gate: null, show: 'pending', limit: 50, afterId: null });
  const inbox = () => app.inbox({ workspace, identity: 'qa-1', limit: 20, afterId: null });
  expect(await list()).toMatchObject({ hasMore: true });
  const before = reviews.calls();
  const page = await inbox();
  expect(page.rows).toHaveLength(20);
  expect(page.total).toBe(10_000);
  // Deadlines that are due, the page, and each of its runs once.
  expect(reviews.calls() - before).toBeLessThanOrEqual(2 + 20);
  const figures = { list: await meanMs(3, list), inbox: await meanMs(3, inbox) };
  for (const [what, ms] of Object.entries(figures)) console.log(`10,000 open gates, ${what}: ${ms.toFixed(1)} ms (goal ${GOAL_MS} ms)`);
  await other.dispose();
  console.log(`RSS ${(process.memoryUsage().rss / 1_048_576).toFixed(0)} MB`);
});
