import type { WhyReport } from '../app/review/review-app.js';
import { oneLine } from '../view/lines/words.js';
import { commandLine, factText } from '../view/situation/wire-situation.js';
import { gateText, type ReviewTextOptions } from './gate-text.js';
import { onlyGateOf } from './lines/gate-actions.js';
import { createPaint } from './lines/paint.js';
import { jobTone, topologyText } from './lines/words.js';

/** Why a run stands where it stands: the reasons first, then each gate in full. */
export function whyText(
  { job, gates, items, reasons, situation, facts }: WhyReport,
  options: ReviewTextOptions,
): string {
  const paint = createPaint(options.color);
  const head = `${paint('strong', `run ${job.id}`)} of ${topologyText(job)}  ${paint(jobTone(job.status), job.status)}`;
  const blocks = [
    [head, ...reasons.map((reason) => `  ${oneLine(reason, 600)}`)].join('\n'),
    ...gates.map((gate) => gateText(gate, { ...options, ...onlyGateOf({ gates, items }, job) })),
  ];
  const said = facts.map((event) => `  ${event.seq}  ${event.timestamp}  ${oneLine(factText(event), 300)}`);
  const next = [
    ...(situation.fact === null ? [] : [`needs first: ${oneLine(situation.fact, 300)}`]),
    `next: ${oneLine(commandLine(situation, options.workspaceArgument), 4000)}`,
  ];
  return [...blocks, ...(said.length === 0 ? [] : [['what the log says', ...said].join('\n')]), next.join('\n')].join(
    '\n\n',
  );
}
