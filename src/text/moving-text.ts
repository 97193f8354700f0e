import type { CopyState } from '../domain/ports/audit.js';
import type { AuditPlan, AuditRemoval } from '../domain/ports/retention.js';
import type { MovePlan, MoveReport } from '../domain/ports/store-move.js';
import { bytesText, countText, oneLine, timeText } from '../view/lines/words.js';
import { loginLine } from '../view/login-line.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';
import { lagText } from './storage-text.js';

const cell = (text: string | number): string => oneLine(String(text), 120);

const PLAN: readonly Column<MovePlan['tables'][number]>[] = [
  { title: 'TABLE', of: (one) => cell(one.table) },
  { title: 'ROWS', align: 'right', of: ({ rows }) => cell(rows) },
  { title: 'THERE', align: 'right', of: ({ there }) => cell(there) },
  { title: 'TO COPY', align: 'right', of: ({ toCopy }) => cell(toCopy) },
  { title: 'SIZE', align: 'right', of: ({ bytes }) => bytesText(bytes) },
];
const REPORT: readonly Column<MoveReport['tables'][number]>[] = [
  { title: 'TABLE', of: (one) => cell(one.table) },
  { title: 'ROWS', align: 'right', of: ({ rows }) => cell(rows) },
  { title: 'COPIED', align: 'right', of: ({ copied }) => cell(copied) },
  { title: 'SHA-256', of: ({ digest }) => digest.slice(0, 16) },
];
const countsOf = (isEstimate: boolean): readonly Column<readonly [table: string, rows: number]>[] => [
  { title: 'TABLE', of: ([name]) => cell(name) },
  { title: isEstimate ? 'ABOUT ROWS' : 'ROWS', align: 'right', of: ([, count]) => cell(count) },
];

/** Logins do not move: the lines that make them anew. */
const leftText = (logins: MovePlan['leftLogins']): readonly string[] =>
  logins.length === 0
    ? []
    : [
        '',
        `${countText(logins.length, 'login')} ${logins.length === 1 ? 'does' : 'do'} not move; afterwards log in again:`,
        ...logins.map((login) => `  ${oneLine(loginLine(login), 400)}`),
      ];

/** Most stores use few of the tables. */
const leftOut = (empty: number): readonly string[] => (empty === 0 ? [] : [`and ${countText(empty, 'empty table')}`]);

/** What a migration would do, a line for each table that holds something. */
export function movePlanText({ source, target, state, tables, leftLogins }: MovePlan, options: TableOptions): string {
  const held = tables.filter(({ rows, there }) => rows > 0 || there > 0);
  const [left, bytes] = [sum(tables, ({ toCopy }) => toCopy), sum(tables, (one) => one.bytes)];
  const says = {
    new: `${countText(left, 'row')} to copy, ${bytesText(bytes)}`,
    begun: `an earlier migration was interrupted: ${countText(left, 'row')} are left to copy`,
    done: 'everything was migrated before: nothing to do',
  }[state];
  return [
    `from ${oneLine(source, 400)}`,
    `to   ${oneLine(target, 400)}`,
    '',
    ...table(PLAN, held, options),
    ...leftOut(tables.length - held.length),
    '',
    says,
    ...leftText(leftLogins),
  ].join('\n');
}

/** What a migration did; the digests are those of both sides. */
export function moveReportText(
  { source, target, tables, sequences, leftLogins }: MoveReport,
  options: TableOptions,
): string {
  const held = tables.filter((one) => one.rows > 0);
  const next = Object.entries(sequences).map(([column, number]) => `${column} goes on with ${number}`);
  return [
    ...table(REPORT, held, options),
    ...leftOut(tables.length - held.length),
    ...(next.length === 0 ? [] : ['', ...next.map((line) => oneLine(line, 120))]),
    '',
    `counts and digests are the same on both sides; ${oneLine(target, 400)} holds everything`,
    `${oneLine(source, 400)} is kept as it was: remove it, and blobs beside it, when you no longer need them`,
    ...leftText(leftLogins),
  ].join('\n');
}

type Removal = (AuditPlan | AuditRemoval) & {
  readonly olderThanDays: number;
  readonly source: string;
  /** Of a plan where the log has a database of its own. */
  readonly auditCopy?: CopyState | null;
};

/** What a removal of audit takes, before it or after it. */
export function pruneText(removal: Removal | null, options: TableOptions & { readonly isDryRun: boolean }): string {
  if (removal === null) return 'nothing was ever run here';
  const { runs, oldest, newest, rows, blobs, bytes, olderThanDays, source, endedBefore } = removal;
  const paint = createPaint(options.color);
  const verb = options.isDryRun ? 'would be removed' : 'removed';
  const between = oldest === null ? '' : `, ended ${timeText(oldest)} to ${timeText(newest)}`;
  const head = `older than ${olderThanDays} days (${oneLine(source, 80)}): ended before ${timeText(endedBefore)}`;
  if (runs === 0 && Object.values(rows).every((count) => count === 0)) return `${head}\nnothing to remove`;
  const shown = Object.entries(rows).filter(([, count]) => count > 0);
  const isEstimate = 'method' in removal && removal.method === 'estimate';
  const about = isEstimate ? 'about ' : '';
  const sizes =
    'databaseBytes' in removal
      ? [`database ${bytesText(removal.databaseBytes.now)}, then ${about}${bytesText(removal.databaseBytes.after)}`]
      : [];
  return [
    head,
    `${countText(runs, 'run')} ${verb}${between}, ${about}${countText(rows.events ?? 0, 'event')}, ${about}${countText(blobs, 'blob')}`,
    '',
    ...table(countsOf(isEstimate), shown, options),
    '',
    `${about}${bytesText(Math.max(0, bytes.database))} in the database and ${about}${bytesText(bytes.blobs)} of blobs ${options.isDryRun ? 'would become free' : 'are free'}`,
    ...sizes,
    ...(isEstimate ? ['the runs are counted, the rest is estimated; `--exact` counts everything'] : []),
    ...copyLines(removal.auditCopy ?? null, paint),
  ].join('\n');
}

/** What `prune` will be refused for is said beforehand. */
function copyLines(copy: CopyState | null, paint: Paint): readonly string[] {
  if (copy === null) return [];
  const says = oneLine(lagText(copy), 400);
  if (copy.holdsAll) return ['', `${paint('good', 'audit')} ${says}`];
  return [
    '',
    `${paint('bad', 'audit')} ${says}`,
    'events of runs that would be removed are not copied to storage.audit yet: `kit storage prune` refuses until they are',
  ];
}

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
