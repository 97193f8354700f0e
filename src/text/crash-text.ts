import { type CrashReport, hasRecovered } from '../view/doctor-report.js';
import { durationText, oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import type { TableOptions } from './lines/table.js';

const MAX_CHARS = 300;
/** Of one point; the rest is in `--json`. */
const MAX_VIOLATIONS = 5;

/**
 * Points after which the run did not come to the same end, then what came of all of them, as the
 * last line.
 */
export function crashText(report: CrashReport, view: TableOptions): string {
  const paint = createPaint(view.color);
  const failures = report.failures.flatMap(({ point, violations }) => [
    `${paint('bad', 'not recovered')} ${point.name}#${point.nth}`,
    ...violations.slice(0, MAX_VIOLATIONS).map((text) => `  ${oneLine(text, MAX_CHARS)}`),
    ...(violations.length > MAX_VIOLATIONS ? [`  and ${violations.length - MAX_VIOLATIONS} more`] : []),
  ]);
  const { recovered, chosen, repeated, lost, points, seed, tried, store, elapsedMs } = report;
  const share = chosen === points ? '' : `, ${chosen} of ${points} fault points by seed ${seed}`;
  const cut = tried === chosen ? '' : `, cut off after ${tried}`;
  const figures = `${recovered}/${chosen} recovered, ${repeated} repeated, ${lost} lost`;
  return [
    ...failures,
    `${paint(hasRecovered(report) ? 'good' : 'bad', figures)} (${store}${share}${cut}, ${durationText(elapsedMs)})`,
  ].join('\n');
}

/** How far it has come, in one line. */
export const crashProgress = ({ tried, chosen, recovered, repeated, lost, elapsedMs }: CrashReport): string =>
  `${tried}/${chosen} points, ${recovered} recovered, ${repeated} repeated, ${lost} lost, ${durationText(elapsedMs)}`;
