import { expect, it } from 'vitest';
import { createStorageApp } from '../../../src/app/storage/create-storage-app.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import type { AuditLag } from '../../../src/domain/ports/audit.js';
import { pruneText } from '../../../src/text/moving-text.js';
import { toWirePrune } from '../../../src/view/wire-upkeep.js';

const DAY = 24 * 60 * 60;

const NOTHING = {
  endedBefore: '',
  runs: 0,
  oldest: null,
  newest: null,
  rows: {},
  blobs: 0,
  bytes: { database: 0, blobs: 0 },
};

/** What pruning of runs older than 30 days does where the log is so far behind. */
async function prune(lag: AuditLag | null) {
  let pruned = 0;
  const retention = {
    plan: async () => ({ ...NOTHING, method: 'exact', databaseBytes: { now: 0, after: 0 } }),
    prune: async () => {
      pruned += 1;
      return NOTHING;
    },
    prunedRun: async () => null,
  } as never; // the use case hands the report on as it is
  const audit =
    lag === null
      ? {}
      : { audit: { location: '', start: () => undefined, check: async () => undefined, lag: async () => lag } };
  const app = createStorageApp({
    environment: {},
    readStorage: async () => ({
      settings: NO_STORAGE,
      auditRetentionDays: 30,
      pruneEveryHours: null,
      credentials: new Map(),
      lookup: () => undefined,
      resolve: (text) => ({ text, references: [], unresolved: [] }),
    }),
    openMove: () => Promise.reject(new Error('nobody moves')),
    openStores: async () => ({ retention, ...audit }),
  });
  const plan = await app.planPrune({ workspace: '/w', olderThanDays: null, method: 'estimate' });
  const ended = await app.prune({ workspace: '/w', olderThanDays: null, onProgress: () => undefined }).then(
    () => 'pruned',
    (error: { readonly code: string; readonly message: string }) => `${error.code}: ${error.message}`,
  );
  return { ended, pruned, plan };
}

it.each([
  ['lies with the runs', null],
  ['is copied', { events: 0, seconds: 0, error: null }],
  ['is behind by younger events alone', { events: 5, seconds: 29 * DAY, error: 'gone' }],
] as const)('removes runs where the log %s', async (_, lag) => {
  const { plan, ...done } = await prune(lag);

  expect(done).toEqual({ ended: 'pruned', pruned: 1 });
  expect(plan?.auditCopy).toEqual(lag === null ? null : { ...lag, holdsAll: true });
});

it.each([
  ['by events as old as the runs', { events: 5, seconds: 31 * DAY, error: null }],
  ['nobody knows how far', { events: null, seconds: null, error: 'gone' }],
] as const)('removes nothing where the copy of the log is behind: %s', async (_, lag) => {
  const { plan, ...done } = await prune(lag);

  expect(done).toEqual({
    ended: 'KIT_STORE_UNAVAILABLE: events of runs that would be removed are not copied to storage.audit yet',
    pruned: 0,
  });
  // The dry run has said so, to people and in --json.
  expect(plan?.auditCopy).toEqual({ ...lag, holdsAll: false });
  expect(toWirePrune(plan, true)).toMatchObject({
    audit_copy: { behind_events: lag.events, behind_seconds: lag.seconds, error: lag.error, holds_all: false },
  });
  expect(
    pruneText(plan && { ...plan, runs: 1, rows: { jobs: 1 } }, { isDryRun: true, color: false, width: null }),
  ).toMatch(/behind.*\n.*`kit storage prune` refuses/);
});
