import type { GrowthReport } from '../../src/view/storage-report.js';

/** What `storage status` tells where nothing was ever run. */
export const NOTHING_RUN: GrowthReport = {
  retention: { days: 365, source: 'default' },
  pruneEveryHours: null,
  store: { kind: 'none' },
};

/** The same of a store that holds more than a year of runs. */
export const GROWN: GrowthReport = {
  ...NOTHING_RUN,
  store: {
    kind: 'known',
    bytes: 644.9 * 1024 ** 2,
    oldestRun: '2025-01-01T00:00:00.000Z',
    oldestMs: 400 * 86_400_000,
    due: { runs: 1752, isMore: false, bytes: 52.1 * 1024 ** 2 },
  },
};
