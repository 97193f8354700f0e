import { expect, it } from 'vitest';
import { withPruning } from '../../../src/app/storage/prune-hooks.js';
import type { PruneAsk, Removal } from '../../../src/app/storage/storage-app.js';
import { FakeClock } from '../../support/fake-clock.js';
import { QUIET_HOOKS, SERVER } from '../../support/serving/quiet-hooks.js';

const HOUR_MS = 60 * 60 * 1000;

const REMOVED = {
  ...{ endedBefore: '', runs: 3, oldest: null, newest: null, rows: {}, blobs: 0 },
  ...{ bytes: { database: 100, blobs: 20 }, olderThanDays: 365, source: 'default' },
};

/** A server whose workspace says so, and what it did and told. */
function serving(of: {
  readonly hours: () => number | null;
  readonly prune?: (ask: Removal) => Promise<typeof REMOVED>;
}) {
  const clock = new FakeClock();
  const reported: unknown[] = [];
  const asked: PruneAsk[] = [];
  const report = (...line: unknown[]): void => void reported.push(line);
  const hooks = withPruning(QUIET_HOOKS, {
    clock,
    log: { info: report, warn: report },
    random: () => 0.5,
    storage: {
      pruneEveryHours: async () => of.hours(),
      prune: async (ask) => {
        asked.push({ workspace: ask.workspace, olderThanDays: ask.olderThanDays });
        return (of.prune ?? (async () => REMOVED))(ask);
      },
    },
  });
  const end = async (): Promise<void> => {
    await hooks.onDrain(SERVER);
    await hooks.onStop(SERVER);
  };
  return { clock, told: reported, asked, start: () => hooks.onStart(SERVER), end };
}

it('removes what the retention allows soon after the start, and then as often as the setting says', async () => {
  const { clock, asked, told: reported, start, end } = serving({ hours: () => 12 });
  await start();
  await clock.advance(10 * 60_000);
  expect(asked).toEqual([{ workspace: '/w', olderThanDays: null }]);
  expect(reported).toEqual([['old runs were removed', { runs: 3, olderThanDays: 365, bytes: 120 }]]);

  await clock.advance(24 * HOUR_MS);
  expect(asked).toHaveLength(3);
  await end();
  expect(clock.sleeping).toBe(0);
});

it('removes nothing where the setting is absent, and begins within an hour once it is written', async () => {
  let hours: number | null = null;
  const { clock, asked, start, end } = serving({ hours: () => hours });
  await start();
  await clock.advance(72 * HOUR_MS);
  expect(asked).toEqual([]);

  hours = 24;
  await clock.advance(HOUR_MS);
  expect(asked).toHaveLength(1);
  await end();
});

it('takes a setting that was changed within an hour, after a removal too', async () => {
  let hours = 168;
  const { clock, asked, start, end } = serving({ hours: () => hours });
  await start();
  await clock.advance(24 * HOUR_MS);
  expect(asked).toHaveLength(1);

  hours = 12;
  await clock.advance(HOUR_MS);
  expect(asked).toHaveLength(2);
  await end();
});

it('warns of a removal that fails and tries again at its next time', async () => {
  let tries = 0;
  const {
    clock,
    told: reported,
    start,
    end,
  } = serving({
    hours: () => 1,
    prune: async () => {
      tries += 1;
      if (tries === 1) throw new Error('the copy is behind');
      return REMOVED;
    },
  });
  await start();
  await clock.advance(2 * HOUR_MS);
  expect(reported).toMatchObject([
    ['old runs could not be removed', { error: 'the copy is behind' }],
    ['old runs were removed', { runs: 3 }],
  ]);
  await end();
});

it('ends a removal after its batch when the server drains, without a warning', async () => {
  const batch = Promise.withResolvers<void>();
  let batches = 0;
  const {
    clock,
    told: reported,
    start,
    end,
  } = serving({
    hours: () => 1,
    prune: async ({ onProgress, signal }) => {
      for (batches = 1; batches < 5; batches += 1) {
        await batch.promise;
        onProgress({ runs: batches, of: 5 });
        signal?.throwIfAborted();
      }
      return REMOVED;
    },
  });
  await start();
  await clock.advance(HOUR_MS / 2);
  const ending = end();
  batch.resolve();
  await ending;
  expect(batches).toBe(1);
  expect(reported).toEqual([]);
});

it('ends a removal that still counts what is due when the server drains, without a warning', async () => {
  const {
    clock,
    told: reported,
    start,
    end,
  } = serving({
    hours: () => 1,
    prune: ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  });
  await start();
  await clock.advance(HOUR_MS / 2);

  await end();

  expect(reported).toEqual([]);
});
