import { describe, expect, it } from 'vitest';
import type { AuditPlan, DueAudit } from '../../../src/domain/ports/retention.js';
import { pruneText } from '../../../src/text/moving-text.js';
import { storageText } from '../../../src/text/storage-text.js';
import type { GrownStore, GrowthReport } from '../../../src/view/storage-report.js';
import { GROWN } from '../../support/grown-store.js';

const plain = { color: false, width: null };

describe('how a store grows', () => {
  const linesOf = (growth: GrowthReport): readonly string[] =>
    storageText({ stores: [], audit: null, warnings: [] }, growth, plain).split('\n').slice(2);
  const store = { ...GROWN.store, kind: 'known' as const } as Extract<GrownStore, { readonly kind: 'known' }>;
  const withDue = (due: DueAudit): GrowthReport => ({ ...GROWN, store: { ...store, due } });

  it('says how large and how old it is, what is due, and the key that nobody has set', () => {
    expect(linesOf(GROWN)).toEqual([
      'size 644.9 MiB in the database, the oldest run is 400 days old',
      'due 1752 runs are older than 365 days (default), about 52.1 MiB; no server removes old runs: storage.audit.prune_every_hours is not set',
    ]);
  });

  it('says what a server removes', () => {
    const retention = { days: 30, source: 'storage.audit.retention_days' };
    expect(linesOf({ ...GROWN, retention, pruneEveryHours: 24 }).at(-1)).toBe(
      'due 1752 runs are older than 30 days (storage.audit.retention_days), about 52.1 MiB; kit serve removes old runs every 24 h',
    );
  });

  it.each([
    [{ runs: 0, isMore: false, bytes: 0 }, 'due no run is older than 365 days (default);'],
    [{ runs: 1, isMore: false, bytes: 2048 }, 'due 1 run is older than 365 days (default), about 2.0 KiB;'],
    [
      { runs: 10_000, isMore: true, bytes: 5 * 1024 ** 3 },
      'due more than 10000 runs are older than 365 days (default), over 5.0 GiB;',
    ],
  ])('says of %o how many runs that is', (due, begin) => {
    expect(linesOf(withDue(due)).at(-1)).toContain(begin);
  });

  it('says that a store without runs has none, and why one cannot be asked', () => {
    expect(linesOf({ ...GROWN, store: { ...store, oldestMs: null } })[0]).toBe(
      'size 644.9 MiB in the database, no runs',
    );
    const away = { kind: 'unknown', error: 'no answer', hint: 'Start it.', exitCode: 2 } as const;
    expect(linesOf({ ...GROWN, store: away })).toEqual(['size the store cannot be asked: no answer', 'hint Start it.']);
  });
});

describe('a removal of old runs', () => {
  const plan: AuditPlan & { readonly olderThanDays: number; readonly source: string } = {
    method: 'estimate',
    endedBefore: '2025-01-01T00:00:00.000Z',
    runs: 1752,
    oldest: '2024-12-01T00:00:00.000Z',
    newest: '2024-12-31T00:00:00.000Z',
    rows: { events: 57_000, gates: 0 },
    blobs: 12,
    bytes: { database: 50 * 1024 ** 2, blobs: 2048 },
    databaseBytes: { now: 600 * 1024 ** 2, after: 550 * 1024 ** 2 },
    olderThanDays: 365,
    source: 'default',
  };

  it('counts the runs beforehand, and says of the rest that it is about that much', () => {
    expect(pruneText(plan, { ...plain, isDryRun: true })).toBe(
      [
        'older than 365 days (default): ended before 2025-01-01 00:00:00Z',
        '1752 runs would be removed, ended 2024-12-01 00:00:00Z to 2024-12-31 00:00:00Z, about 57000 events, about 12 blobs',
        '',
        'TABLE   ABOUT ROWS',
        'events       57000',
        '',
        'about 50.0 MiB in the database and about 2.0 KiB of blobs would become free',
        'database 600.0 MiB, then about 550.0 MiB',
        'the runs are counted, the rest is estimated; `--exact` counts everything',
      ].join('\n'),
    );
  });

  it('says nothing of an estimate where everything was counted', () => {
    expect(pruneText({ ...plan, method: 'exact' }, { ...plain, isDryRun: true })).not.toMatch(/about|ABOUT|estimate/);
  });
});
