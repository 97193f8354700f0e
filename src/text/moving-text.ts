import type { CopyState } from '../domain/ports/audit.js';
import type { AuditPlan, AuditRemoval } from '../domain/ports/retention.js';
import type { MovePlan, MoveReport } from '../domain/ports/store-move.js';
import { bytesText, countText, oneLine, timeText } from '../view/lines/words.js';
import { loginLine } from '../view/login-line.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';

import type { ObserveOptions } from './status-text.js';
import { lagText } from './storage-text.js';

const PLAN: readonly Column[] = [
  { title: 'TABLE' },
  { title: 'ROWS', align: 'right' },
  { title: 'THERE', align: 'right' },
  { title: 'TO COPY', align: 'right' },
  { title: 'SIZE', align: 'right' },
];
const REPORT: readonly Column[] = [
  { title: 'TABLE' },
  { title: 'ROWS', align: 'right' },
  { title: 'COPIED', align: 'right' },
  { title: 'SHA-256' },
];
const ROWS: readonly Column[] = [{ title: 'TABLE' }, { title: 'ROWS', align: 'right' }];

const ABOUT_ROWS: readonly Column[] = [{ title: 'TABLE' }, { title: 'ABOUT ROWS', align: 'right' }];

const cell = (text: string | number) => ({ text: oneLine(String(text), 120) });

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
export function movePlanText({ source, target, state, tables, leftLogins }: MovePlan, options: ObserveOptions): string {
  const paint = createPaint(options.color);
  const held = tables.filter(({ rows, there }) => rows > 0 || there > 0);
  const rows = held.map((one) => [
    cell(one.table),
    cell(one.rows),
    cell(one.there),
    cell(one.toCopy),
    cell(bytesText(one.bytes)),
  ]);
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
    ...table(PLAN, rows, { paint, width: options.width }),
    ...leftOut(tables.length - held.length),
    '',
    says,
    ...leftText(leftLogins),
  ].join('\n');
}

/** What a migration did; the digests are those of both sides. */
export function moveReportText(
  { source, target, tables, sequences, leftLogins }: MoveReport,
  options: ObserveOptions,
): string {
  const paint = createPaint(options.color);
  const held = tables.filter((one) => one.rows > 0);
  const rows = held.map((one) => [cell(one.table), cell(one.rows), cell(one.copied), cell(one.digest.slice(0, 16))]);
  const next = Object.entries(sequences).map(([column, number]) => `${column} goes on with ${number}`);
  return [
    ...table(REPORT, rows, { paint, width: options.width }),
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
export function pruneText(removal: Removal | null, options: ObserveOptions & { readonly isDryRun: boolean }): string {
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
    ...table(
      isEstimate ? ABOUT_ROWS : ROWS,
      shown.map(([name, count]) => [cell(name), cell(count)]),
      { paint, width: options.width },
    ),
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
