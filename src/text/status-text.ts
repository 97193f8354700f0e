import type { RunSummary } from '../app/observe/observe-app.js';
import { oneLine, timeText, tokensText } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';
import { jobTone, shortSpentText, topologyText, wallText } from './lines/words.js';

/** How lists and pages about runs are shown. */
export interface ObserveOptions {
  readonly color: boolean;
  /** Columns of the terminal; null = no terminal, and nothing is ever cut. */
  readonly width: number | null;
}

const COLUMNS: readonly Column[] = [
  { title: 'RUN' },
  { title: 'TOPOLOGY', canShrink: true },
  { title: 'STATUS' },
  { title: 'STARTED', dropFirst: 5 },
  { title: 'TIME', align: 'right' },
  { title: 'AGENTS', align: 'right', dropFirst: 2 },
  { title: 'TOKENS', dropFirst: 1 },
  { title: 'COST', align: 'right', dropFirst: 3 },
  { title: 'ISSUES', align: 'right', dropFirst: 4 },
  { title: 'WAITING ON', canShrink: true },
];

/** One line a run, in the order given. */
export function statusText(runs: readonly RunSummary[], options: ObserveOptions): string {
  const paint = createPaint(options.color);
  const rows = runs.map(({ job, figures, outage, wallMs }) => {
    const { agents, issues, usage } = figures;
    return [
      { text: job.id, tone: 'strong' as const },
      { text: topologyText(job) },
      { text: job.status, tone: jobTone(job.status) },
      { text: timeText(job.startedAt ?? job.createdAt) },
      { text: wallText(wallMs) },
      { text: String(agents) },
      { text: tokensText(usage) },
      { text: shortSpentText(usage) },
      { text: String(issues), tone: issues === 0 ? ('dim' as const) : ('warn' as const) },
      { text: outage ?? oneLine(waitingOn(job, options).join(', '), 200) },
    ];
  });
  return table(COLUMNS, rows, { paint, width: options.width }).join('\n');
}

/** A terminal has no room for the id of the run twice: of its own gates the agents are enough. */
function waitingOn({ id, waitingOn: ids }: RunSummary['job'], { width }: ObserveOptions): readonly string[] {
  const own = `${id}:`;
  return width === null ? ids : ids.map((one) => (one.startsWith(own) ? one.slice(own.length) : one));
}
