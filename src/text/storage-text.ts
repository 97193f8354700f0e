import type { AuditLag } from '../domain/ports/audit.js';
import { oneLine } from '../view/lines/words.js';
import { type GrowthReport, type StorageReport, UNRESOLVED } from '../view/storage-report.js';
import { growthLines } from './growth-lines.js';
import { createPaint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';

const MAX_CHARS = 400;

const COLUMNS: readonly Column<StorageReport['stores'][number]>[] = [
  { title: 'STORE', of: ({ store }) => oneLine(store, 40), tone: 'strong' },
  {
    title: 'BACKEND',
    of: ({ backend }) => oneLine(backend, 60),
    tone: ({ backend }) => (backend === UNRESOLVED ? 'bad' : 'plain'),
  },
  {
    title: 'LOCATION',
    canShrink: true,
    of: ({ location }) => (location === null ? '-' : oneLine(location, MAX_CHARS)),
  },
  {
    title: 'DECIDED BY',
    of: ({ backend, setting, source }) => (backend === UNRESOLVED ? '-' : oneLine(setting ?? source, 120)),
  },
];

/** How far the log is behind, in a sentence. */
export function lagText({ events, seconds, error }: AuditLag): string {
  const reach = error === null ? '' : `its database cannot be reached (${error}); `;
  if (events === null || seconds === null) return `${reach}how far the log is behind is not known`;
  if (events === 0) return `${reach}every event is there`;
  return `${reach}${events} event${events === 1 ? '' : 's'} behind the runs, the oldest ${Math.round(seconds)} s old`;
}

/** One line a store, then how that of the runs grows, why a store is unresolved, and warnings. */
export function storageText(
  { stores, audit, warnings }: StorageReport,
  growth: GrowthReport,
  options: TableOptions,
): string {
  const paint = createPaint(options.color);
  // Most stores follow the runs: one reason is said once.
  const reasons = [...new Set(stores.flatMap(({ error }) => error ?? []))].map((error) => {
    const names = stores.filter((row) => row.error === error).map(({ store }) => store);
    return `${paint('bad', 'unresolved')} ${names.join(', ')}: ${oneLine(error, MAX_CHARS)}`;
  });
  const behind =
    audit === null
      ? []
      : [
          `${paint(audit.error === null && audit.events === 0 ? 'good' : 'warn', 'audit')} ${oneLine(lagText(audit), MAX_CHARS)}`,
        ];
  const said = [
    ...growthLines(growth, paint),
    ...reasons,
    ...behind,
    ...warnings.map((warning) => `${paint('warn', 'warning')} ${oneLine(warning, MAX_CHARS)}`),
  ];
  return [...table(COLUMNS, stores, options), ...(said.length === 0 ? [] : ['', ...said])].join('\n');
}
