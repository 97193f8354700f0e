import type { ComprehensionReport } from '../view/comprehension.js';
import type { Tone } from '../view/lines/tone.js';
import { countText, oneLine, timeText } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';

import type { ObserveOptions } from './status-text.js';

const COLUMNS: readonly Column[] = [
  { title: 'APPROVED' },
  { title: 'AFTER', align: 'right' },
  { title: 'RUN' },
  { title: 'GATE', canShrink: true },
  { title: 'PEOPLE', align: 'right' },
];

const TONES: Readonly<Record<ComprehensionReport['verdict'], Tone>> = { ok: 'good', debt: 'warn', unknown: 'dim' };

/** The verdict, the approvals that were faster than reading, and what is not measured. */
export function comprehensionText(report: ComprehensionReport, options: ObserveOptions): string {
  const paint = createPaint(options.color);
  const { verdict, since, approvalsSeen, fastApprovals, thresholdSeconds, deferred } = report;
  const line = `${paint(TONES[verdict], verdict)}: ${fastApprovals.length} of ${countText(approvalsSeen, 'approval')} since ${timeText(since)} came within ${thresholdSeconds} s`;
  const rows = fastApprovals.map(({ timestamp, latencyMs, runId, gateId, approvers }) => [
    { text: timeText(timestamp) },
    { text: `${(latencyMs / 1000).toFixed(1)} s` },
    { text: runId },
    { text: oneLine(gateId, 120) },
    { text: String(approvers.length) },
  ]);
  return [
    line,
    ...(rows.length === 0 ? [] : ['', ...table(COLUMNS, rows, { paint, width: options.width })]),
    '',
    ...deferred.map((text) => paint('dim', `not measured: ${text}`)),
  ].join('\n');
}
