import { expect, it } from 'vitest';
import { storeMetrics } from '../../../src/app/serve/serving-metrics.js';
import type { JobCounts } from '../../../src/domain/ports/serving.js';

function storeOf(over: JobCounts) {
  const asked: string[] = [];
  let nowMs = 1_000;
  const jobCounts = async (which: 'live' | 'over'): Promise<JobCounts> => {
    asked.push(which);
    return which === 'live' ? { running: 2 } : over;
  };
  const read = storeMetrics({ openStores: async () => ({ serving: { jobCounts } as never }), now: () => nowMs });
  return {
    /** What was counted for one scrape, so long after the last one. */
    async scrape(afterMs: number): Promise<readonly string[]> {
      nowMs += afterMs;
      const from = asked.length;
      const [jobs] = await read('/workspace');
      const { running, ...others } = Object.fromEntries(
        (jobs?.samples ?? []).map(({ labels, value }) => [labels.status, value]),
      );
      expect([running, others]).toEqual([2, over]);
      return asked.slice(from);
    },
  };
}

it('counts live jobs at each scrape, and those that are over as seldom as there are many', async () => {
  const { scrape } = storeOf({ completed: 19_000, failed: 1_000 });

  expect(await scrape(0)).toEqual(['live', 'over']);
  expect(await scrape(15_000)).toEqual(['live']);
  expect(await scrape(4_999)).toEqual(['live']);
  expect(await scrape(1)).toEqual(['live', 'over']);
});

it('tells nothing that is older than a minute', async () => {
  const { scrape } = storeOf({ completed: 2_000_000 });

  await scrape(0);
  expect(await scrape(59_999)).toEqual(['live']);
  expect(await scrape(1)).toEqual(['live', 'over']);
});

it('counts few jobs each time', async () => {
  const { scrape } = storeOf({});

  for (let n = 0; n < 3; n++) expect(await scrape(0)).toEqual(['live', 'over']);
});
