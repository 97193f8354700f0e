import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addFunctions } from '../../../src/store/sqlite/functions.js';
import { inboxFrame } from '../../../src/text/inbox/inbox-layout.js';
import { openInbox, reduceInbox } from '../../../src/text/inbox/inbox-state.js';
import { fillSqlite, meanMs } from '../../support/many-gates.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';

const OPEN = 10_000;
const PAGE = 100;
/**
 * Goal of the list and of the inbox; printed beside the figure, for the machine under a test is
 * shared.
 */
const GOAL_MS = 100;
const workspace = '/nowhere';

let world: ReviewWorld;
beforeAll(async () => {
  world = await openReviewWorld();
  const db = new Database(world.sqlite.path, { timeout: 5_000 });
  addFunctions(db, 'write');
  fillSqlite(db, { open: OPEN, decided: OPEN });
  // Deadlines that passed are fired by the first look, and by no other.
  db.exec("UPDATE timers SET due_at = '2999'");
  db.close();
}, 120_000);
afterAll(() => world.dispose());

const inbox = (afterId: string | null = null) => world.app.inbox({ workspace, identity: 'qa-1', limit: PAGE, afterId });
const list = () => world.app.list({ workspace, kind: null, gate: null, show: 'pending', limit: PAGE, afterId: null });

describe('ten thousand open gates', () => {
  it('are read a page at a time: no more items, and the reviews of no more runs, than the page has rows', async () => {
    const items = vi.spyOn(world.sqlite.stores.reviews, 'items');
    const state = vi.spyOn(world.sqlite.stores.reviews, 'state');
    const first = await inbox();
    const next = await inbox(first.rows.at(-1)?.item.id ?? '');
    expect([first.rows.length, next.rows.length, first.total, next.total]).toEqual([PAGE, PAGE, OPEN, OPEN]);
    expect(new Set([...first.rows, ...next.rows].map((row) => row.item.id)).size).toBe(2 * PAGE);
    expect(items.mock.calls.map(([filter]) => filter.limit)).toEqual([PAGE, PAGE]);
    expect(state).toHaveBeenCalledTimes(2 * PAGE);
    vi.restoreAllMocks();
  });

  it('are shown within the time a person notices, which is printed', async () => {
    const first = await inbox();
    const last = first.rows.at(-1)?.item.id ?? '';
    const shown = async () => {
      const { state } = reduceInbox(openInbox('qa-1').state, { kind: 'page', page: await inbox(), afterId: null });
      return inboxFrame(state, { columns: 80, rows: 24 });
    };
    expect((await shown()).lines[0]?.text).toContain(`1 of ${OPEN}`);
    expect(await inbox(last)).toMatchObject({ total: OPEN });
    const opened = await world.app.inboxItem({ workspace, identity: 'qa-1', item: last });
    expect(opened).toMatchObject({ item: { id: last } });
    const figures = {
      'list, a page of 100': await meanMs(10, list),
      'inbox, first frame': await meanMs(10, shown),
      'inbox, next page': await meanMs(10, () => inbox(last)),
      'inbox, an open item': await meanMs(10, () => world.app.inboxItem({ workspace, identity: 'qa-1', item: last })),
    };
    for (const [what, ms] of Object.entries(figures))
      console.log(`10,000 open gates, ${what}: ${ms.toFixed(1)} ms (goal ${GOAL_MS} ms)`);
  });
});
