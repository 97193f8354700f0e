import { describe, expect, it } from 'vitest';
import { createRetention } from '../../src/store/retention/create-retention.js';
import type { DueRun, RetentionDialect } from '../../src/store/retention/dialect.js';
import { createSpread, interleaved } from '../../src/store/retention/spread.js';

const AGE = { olderThanDays: 30 };
const EVENTS_OF_A_RUN = 33;
/** Runs that ended long ago and must stay. */
const KEPT = 7;

/** What was asked of a database. */
interface Asked {
  pages: number;
  /** How often runs were counted, whether they may go or not. */
  ended: number;
  /** Runs whose rows were counted. */
  looked: number;
  judged: number;
  removed: number;
}

/** A database of so many runs that are due, each with a blob of its own and one that all share. */
function database(runs: number, eventsOfARun = EVENTS_OF_A_RUN) {
  const asked: Asked = { pages: 0, ended: 0, looked: 0, judged: 0, removed: 0 };
  let onPage = (): void => undefined;
  const runAt = (n: number): DueRun => ({ id: `r${n}`, ord: n, at: new Date(n * 1000).toISOString() });
  const unasked = (): never => expect.fail('asked for what a look does not need');
  const dialect: RetentionDialect = {
    batchRuns: 20,
    now: async () => '2026-01-02T03:04:05.000Z',
    due: async ({ after, limit }) => {
      asked.pages += 1;
      onPage();
      const left = Math.max(0, Math.min(limit, runs - after.ord));
      return Array.from({ length: left }, (_, n) => runAt(after.ord + n + 1));
    },
    ended: async (_, limit) => {
      asked.ended += 1;
      return Math.min(limit, runs + KEPT);
    },
    undone: async () => [],
    shares: async (ids) => {
      asked.looked += ids.length;
      return {
        events: { rows: ids.length * eventsOfARun, bytes: ids.length * 1000 },
        jobs: { rows: ids.length, bytes: 0 },
      };
    },
    accessShare: async () => ({ rows: 7, bytes: 0 }),
    digests: async (ids) => [...ids.map((id) => `blob of ${id}`), ...ids.map(() => 'shared')],
    freed: async ({ digests }) => {
      asked.judged += digests.length;
      return digests;
    },
    blobBytes: async (digests) => digests.map(() => 100),
    databaseBytes: async (shares) => ({ freed: shares.events?.bytes ?? 0, now: 1e9, after: 0 }),
    size: async () => ({ bytes: 4_000_000, oldest: '2025-01-01T00:00:00.000Z' }),
    removeSlice: async ({ ids }) => {
      asked.removed += ids.length;
      return { rows: {}, isDone: true, taken: ids.length };
    },
    removeBlobs: async () => [],
    removeAccess: async () => 0,
    idleKnowledge: async () => ({ indexes: 0, documents: 0, bytes: 0 }),
    removeIdleKnowledge: async () => ({ indexes: 0, documents: 0 }),
    usedBytes: async () => 0,
    reclaim: async () => undefined,
    pruned: unasked,
  };
  return {
    asked,
    retention: createRetention(dialect),
    onPage: (then: () => void) => {
      onPage = then;
    },
  };
}

describe('an estimate', () => {
  it('looks at some of the runs, however many are due, and judges some of their blobs', async () => {
    const { retention, asked } = database(200_000);

    const plan = await retention.plan(AGE, 'estimate');

    expect(plan).toMatchObject({
      method: 'estimate',
      runs: 200_000,
      rows: { events: 200_000 * EVENTS_OF_A_RUN, jobs: 200_000, serve_access: 7 },
      // What all share is told as staying.
      blobs: 200_000,
      bytes: { database: 200_000_000, blobs: 20_000_000 },
    });
    expect(asked.looked).toBeLessThanOrEqual(512);
    expect(asked.judged).toBeLessThanOrEqual(200);
  });

  it('judges every blob where it can look at every run', async () => {
    const { retention, asked } = database(100);

    expect(await retention.plan(AGE, 'estimate')).toMatchObject({ runs: 100, blobs: 101, rows: { events: 3_300 } });
    expect(asked).toMatchObject({ looked: 100, judged: 101 });
  });

  it('looks at fewer runs the longer they are', async () => {
    const { retention, asked } = database(10_000, 100_000);

    expect(await retention.plan(AGE, 'estimate')).toMatchObject({ runs: 10_000, rows: { events: 1_000_000_000 } });
    expect(asked.looked).toBeLessThanOrEqual(32);
  });
});

describe('a look at how a store grows', () => {
  it('tells of what is due by some of the runs', async () => {
    const { retention, asked } = database(400);

    expect(await retention.growth(AGE)).toEqual({
      bytes: 4_000_000,
      oldestRun: '2025-01-01T00:00:00.000Z',
      due: { runs: 400, isMore: false, bytes: 400_000 },
    });
    expect(asked).toMatchObject({ pages: 1, ended: 0, judged: 0, removed: 0 });
    expect(asked.looked).toBeLessThanOrEqual(15);
  });

  it('asks no more than 500 runs whether they may go, and tells of more by their age alone', async () => {
    const { retention, asked } = database(9_000);

    expect((await retention.growth(AGE)).due).toEqual({ runs: 9_000 + KEPT, isMore: false, bytes: 9_007_000 });
    expect(asked).toMatchObject({ pages: 1, ended: 1, judged: 0, removed: 0 });
    expect(asked.looked).toBeLessThanOrEqual(15);
  });

  it('counts no more than 10,000 runs', async () => {
    const { retention, asked } = database(1_000_000);

    expect((await retention.growth(AGE)).due).toEqual({ runs: 10_000, isMore: true, bytes: 10_000_000 });
    expect(asked).toMatchObject({ pages: 1, ended: 1, judged: 0, removed: 0 });
    expect(asked.looked).toBeLessThanOrEqual(15);
  });
});

describe('a removal that nobody waits for any more', () => {
  it('ends while it still counts what is due, and has removed nothing', async () => {
    const { retention, asked, onPage } = database(1_000_000);
    const over = new AbortController();
    onPage(() => {
      if (asked.pages === 3) over.abort('shutting down');
    });

    await expect(retention.prune(AGE, () => undefined, over.signal)).rejects.toBe('shutting down');

    expect(asked).toMatchObject({ pages: 3, removed: 0 });
  });

  it('ends after a batch', async () => {
    const { retention, asked } = database(1_000);
    const over = new AbortController();

    await expect(retention.prune(AGE, () => over.abort('shutting down'), over.signal)).rejects.toBe('shutting down');

    expect(asked.removed).toBe(20);
  });
});

describe('a spread', () => {
  it('keeps everything of a few, and evenly chosen ones of many', () => {
    const keptOf = (count: number): readonly number[] => {
      const spread = createSpread<number>(4);
      for (let n = 0; n < count; n++) spread.add(n);
      return spread.kept();
    };

    expect(keptOf(4)).toEqual([0, 1, 2, 3]);
    expect(keptOf(7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(keptOf(100)).toEqual([0, 16, 32, 48, 64, 80, 96]);
  });

  it('is parted so that each part tells of all', () => {
    expect(interleaved([1, 2, 3, 4, 5], 2)).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
    expect(interleaved([1], 16)).toEqual([[1]]);
    expect(interleaved([], 16)).toEqual([]);
  });
});
