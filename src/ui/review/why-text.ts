import type { WhyReport } from '../../app/review/review-app.js';
import { oneLine } from '../../view/lines/words.js';
import { createPaint } from '../lines/paint.js';
import { jobTone, topologyText } from '../observe/words.js';
import { gateText, type ReviewTextOptions } from './gate-text.js';

/** Why a run stands where it stands: the reasons first, then each gate in full. */
export function whyText({ job, gates, reasons }: WhyReport, options: ReviewTextOptions): string {
  const paint = createPaint(options.color);
  const head = `${paint('strong', `run ${job.id}`)} of ${topologyText(job)}  ${paint(jobTone(job.status), job.status)}`;
  const blocks = [[head, ...reasons.map((reason) => `  ${oneLine(reason, 600)}`)].join('\n'), ...gates.map((gate) => gateText(gate, options))];
  return blocks.join('\n\n');
}
