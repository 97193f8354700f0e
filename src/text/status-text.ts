import type { RunSummary } from '../app/observe/observe-app.js';
import { oneLine, timeText, tokensText } from '../view/lines/words.js';
import { type Column, type TableOptions, table } from './lines/table.js';
import { jobTone, shortSpentText, topologyText, wallText } from './lines/words.js';

const columnsOf = (options: TableOptions): readonly Column<RunSummary>[] => [
  { title: 'RUN', of: ({ job }) => job.id, tone: 'strong' },
  { title: 'TOPOLOGY', canShrink: true, of: ({ job }) => topologyText(job) },
  { title: 'STATUS', of: ({ job }) => job.status, tone: ({ job }) => jobTone(job.status) },
  { title: 'STARTED', dropFirst: 5, of: ({ job }) => timeText(job.startedAt ?? job.createdAt) },
  { title: 'TIME', align: 'right', of: ({ wallMs }) => wallText(wallMs) },
  { title: 'AGENTS', align: 'right', dropFirst: 2, of: ({ figures }) => String(figures.agents) },
  { title: 'TOKENS', dropFirst: 1, of: ({ figures }) => tokensText(figures.usage) },
  { title: 'COST', align: 'right', dropFirst: 3, of: ({ figures }) => shortSpentText(figures.usage) },
  {
    title: 'ISSUES',
    align: 'right',
    dropFirst: 4,
    of: ({ figures }) => String(figures.issues),
    tone: ({ figures }) => (figures.issues === 0 ? 'dim' : 'warn'),
  },
  {
    title: 'WAITING ON',
    canShrink: true,
    of: ({ job, outage }) => outage ?? oneLine(waitingOn(job, options).join(', '), 200),
  },
];

/** One line a run, in the order given. */
export const statusText = (runs: readonly RunSummary[], options: TableOptions): string =>
  table(columnsOf(options), runs, options).join('\n');

/** A terminal has no room for the id of the run twice: of its own gates the agents are enough. */
function waitingOn({ id, waitingOn: ids }: RunSummary['job'], { width }: TableOptions): readonly string[] {
  const own = `${id}:`;
  return width === null ? ids : ids.map((one) => (one.startsWith(own) ? one.slice(own.length) : one));
}
