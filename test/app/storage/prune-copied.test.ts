import { expect, it } from 'vitest';
import { createStorageApp } from '../../../src/app/storage/create-storage-app.js';
import { NO_STORAGE } from '../../../src/app/storage/read-storage.js';
import type { AuditLag } from '../../../src/domain/ports/audit.js';

const DAY = 24 * 60 * 60;

/** What pruning of runs older than 30 days does where the log is so far behind. */
async function prune(lag: AuditLag | null) {
  let pruned = 0;
  const retention = {
    plan: () => Promise.reject(new Error('nobody asked for a plan')),
    prune: async () => {
      pruned += 1;
      return { endedBefore: '', runs: 0, oldest: null, newest: null, rows: {}, blobs: 0, bytes: { database: 0, blobs: 0 } };
    },
    prunedRun: async () => null,
  } as never; // the use case hands the report on as it is
  const audit = lag === null ? {} : { audit: { location: '', start: () => undefined, check: async () => undefined, lag: async () => lag } };
  const app = createStorageApp({
    environment: {},
    readStorage: async () => ({
      settings: NO_STORAGE,
      auditRetentionDays: 30,
      credentials: new Map(),
      lookup: () => undefined,
      resolve: (text) => ({ text, references: [], unresolved: [] }),
    }),
    openMove: () => Promise.reject(new Error('nobody moves')),
    openStores: async () => ({ retention, ...audit }),
  });
  const ended = await app.prune({ workspace: '/w', olderThanDays: null, onProgress: () => undefined }).then(
    () => 'pruned',
    (error: { readonly code: string; readonly message: string }) => `${error.code}: ${error.message}`,
  );
  return { ended, pruned };
}

it.each([
  ['lies with the runs', null],
  ['is copied', { events: 0, seconds: 0, error: null }],
  ['is behind by younger events alone', { events: 5, seconds: 29 * DAY, error: 'gone' }],
] as const)('removes runs where the log %s', async (_, lag) => {
  expect(await prune(lag)).toEqual({ ended: 'pruned', pruned: 1 });
});

it.each([
  ['by events as old as the runs', { events: 5, seconds: 31 * DAY, error: null }],
  ['nobody knows how far', { events: null, seconds: null, error: 'gone' }],
] as const)('removes nothing where the copy of the log is behind: %s', async (_, lag) => {
  expect(await prune(lag)).toEqual({
    ended: 'KIT_STORE_UNAVAILABLE: events of runs that would be removed are not copied to storage.audit yet',
    pruned: 0,
  });
});
