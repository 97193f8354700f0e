import { describe, expect, it } from 'vitest';
import { checkRetention } from '../../../src/app/doctor/checks/retention.js';
import type { DoctorCheck } from '../../../src/view/doctor-report.js';
import type { GrowthReport } from '../../../src/view/storage-report.js';

const GIB = 1024 ** 3;
/** `status id: found => fix` */
const shown = ({ id, status, found, fix }: DoctorCheck): string =>
  `${status} ${id}: ${found}${fix === null ? '' : ` => ${fix}`}`;

describe('a check of how a store grows', () => {
  const report = (runs: number, pruneEveryHours: number | null): GrowthReport => ({
    retention: { days: 365, source: 'default' },
    pruneEveryHours,
    store: {
      kind: 'known',
      bytes: 5 * GIB,
      oldestRun: '2025-01-01T00:00:00.000Z',
      oldestMs: 400 * 86_400_000,
      due: { runs, isMore: false, bytes: 1024 },
    },
  });

  it.each([
    ['warn', 1, null, 'no server removes old runs: storage.audit.prune_every_hours is not set => kit storage prune'],
    ['ok', 1, 24, '1 run is older than 365 days (default), about 1.0 KiB; kit serve removes old runs every 24 h'],
    ['ok', 0, null, 'no run is older than 365 days (default); no server removes old runs'],
  ] as const)('is %s where %i run is due and a server removes it every %s h', (status, runs, hours, says) => {
    const text = shown(checkRetention(report(runs, hours)));

    expect(text).toContain(`${status} retention: 5.0 GiB in the database, the oldest run is 400 days old; `);
    expect(text).toContain(says);
  });

  it('has nothing to say where nothing was run, and leaves a store that cannot be asked to its own check', () => {
    const empty = report(0, null);
    expect(shown(checkRetention({ ...empty, store: { kind: 'none' } }))).toBe(
      'skipped retention: nothing was ever run here',
    );
    const away = { kind: 'unknown', error: 'gone', hint: null, exitCode: 2 } as const;
    expect(shown(checkRetention({ ...empty, store: away }))).toBe(
      'skipped retention: what it stands on has to be fixed first',
    );
  });
});
