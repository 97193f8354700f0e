import { afterEach, describe, expect, it } from 'vitest';
import { addedTo, BACKENDS, type GuardedStore, openGuardedStore, stillClock } from '../support/guards/guarded-store.js';
import { LOADS, type OpenLoad, openLoad } from '../support/guards/loads.js';
import { RUN_COSTS } from './run-costs.js';

/** The first run makes what all of them share: the snapshot, statements, plans. */
const WARM_UP = 2;

const opened: (GuardedStore | OpenLoad)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

describe.each(BACKENDS)('on %s, a run that nothing runs beside', (backend) => {
  it.each(LOADS)(
    'makes the statements, commits, rows, bytes and pages of the table: %s',
    { timeout: 120_000 },
    async (load) => {
      const store = await openGuardedStore(backend);
      opened.push(store);
      const one = await openLoad(load, store.directory, store.stores, stillClock());
      opened.push(one);
      for (let n = 0; n < WARM_UP; n += 1) await one.run();

      const before = await store.stored();
      const pagesBefore = store.pages();
      store.counter.take();
      await one.run();
      const { writes, commits, reads } = store.counter.take();
      const pages = (store.pages() ?? 0) - (pagesBefore ?? 0);
      const { rows, bytes } = addedTo(before, await store.stored());

      const expected = RUN_COSTS[backend][load];
      expect({ writes, commits, rows }).toEqual({
        writes: expected.writes,
        commits: expected.commits,
        rows: expected.rows,
      });
      expect(Math.abs(bytes / expected.bytes - 1), `${bytes} bytes`).toBeLessThanOrEqual(0.02);
      expect(pages).toBeLessThanOrEqual(expected.pagesAtMost ?? 0);
      expect(reads).toBeLessThanOrEqual(expected.readsAtMost);
    },
  );
});
