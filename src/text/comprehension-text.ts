import type { ComprehensionReport } from '../view/comprehension.js';
import type { Tone } from '../view/lines/tone.js';
import { countText, oneLine, timeText } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';

const COLUMNS: readonly Column<ComprehensionReport['fastApprovals'][number]>[] = [
  { title: 'APPROVED', of: ({ timestamp }) => timeText(timestamp) },
  { title: 'AFTER', align: 'right', of: ({ latencyMs }) => `${(latencyMs / 1000).toFixed(1)} s` },
  { title: 'RUN', of: ({ runId }) => runId },
  { title: 'GATE', canShrink: true, of: ({ gateId }) => oneLine(gateId, 120) },
  { title: 'PEOPLE', align: 'right', of: ({ approvers }) => String(approvers.length) },
];

const TONES: Readonly<Record<ComprehensionReport['verdict'], Tone>> = { ok: 'good', debt: 'warn', unknown: 'dim' };

/** The verdict, the approvals that were faster than reading, and what is not measured. */
export function comprehensionText(report: ComprehensionReport, options: TableOptions): string {
  const paint = createPaint(options.color);
  const { verdict, since, approvalsSeen, fastApprovals, thresholdSeconds, deferred } = report;
  const line = `${paint(TONES[verdict], verdict)}: ${fastApprovals.length} of ${countText(approvalsSeen, 'approval')} since ${timeText(since)} came within ${thresholdSeconds} s`;
  return [
    line,
    ...(fastApprovals.length === 0 ? [] : ['', ...table(COLUMNS, fastApprovals, options)]),
    '',
    ...deferred.map((text) => paint('dim', `not measured: ${text}`)),
  ].join('\n');
}
